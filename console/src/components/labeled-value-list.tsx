import type { ComponentChildren } from 'preact';

export type LabeledValueEntry = readonly [name: string, value: ComponentChildren];

export const LabeledValueList = ({ facts }: { readonly facts: readonly LabeledValueEntry[] }) => (
  <dl class="facts">
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
