import type { ComponentChildren } from 'preact';

interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | null;
  readonly children: (described: { readonly id: string; readonly 'aria-describedby': string }) => ComponentChildren;
}

export const FormField = ({ id, label, hint, error, children }: FieldProps) => (
  <div class="field" data-is-wrong={error == null ? undefined : ''}>
    <label for={id}>{label}</label>
    {children({ id, 'aria-describedby': `${id}-more` })}
    <p id={`${id}-more`} class="more">
      {error == null ? hint : <span class="wrong">{error}</span>}
    </p>
  </div>
);
