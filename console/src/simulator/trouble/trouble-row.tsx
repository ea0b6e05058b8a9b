import type { ComponentChildren } from 'preact';

interface TroubleRowProps {
  readonly id: string;
  readonly does: string;
  readonly effect: string;
  readonly children: ComponentChildren;
}

/** A switch, what it does, and what it means at this moment. */
export const TroubleRow = ({ id, does, effect, children }: TroubleRowProps) => (
  <li class="trouble-row">
    <div class="control">{children}</div>
    <p class="does" id={id}>
      {does}
    </p>
    <p class="effect">{effect}</p>
  </li>
);
