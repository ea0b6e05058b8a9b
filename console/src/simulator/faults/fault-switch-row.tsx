import type { ComponentChildren } from 'preact';

interface FaultRowProps {
  readonly id: string;
  readonly description: string;
  readonly effect: string;
  readonly children: ComponentChildren;
}

/** A fault switch with its description and its current effect. */
export const FaultSwitchRow = ({ id, description, effect, children }: FaultRowProps) => (
  <li class="fault-row">
    <div class="control">{children}</div>
    <p class="description" id={id}>
      {description}
    </p>
    <p class="effect">{effect}</p>
  </li>
);
