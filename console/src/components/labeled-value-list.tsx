import type { ComponentChildren } from 'preact';

export type LabeledValue = readonly [name: string, value: ComponentChildren];

export const LabeledValueList = ({ facts }: { readonly facts: readonly LabeledValue[] }) => (
  <dl class="facts">
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
