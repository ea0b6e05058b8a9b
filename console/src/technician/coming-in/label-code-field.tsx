import { Field } from '../frame/field.tsx';
import { shownSetupCode } from './setup-code.ts';

interface LabelCodeFieldProps {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly error?: string | null;
  readonly code: string;
  readonly type: (code: string) => void;
}

/** Twelve letters and digits, as they stand on a label. */
export const LabelCodeField = ({ id, label, hint, error = null, code, type }: LabelCodeFieldProps) => (
  <Field {...{ id, label, hint, error }}>
    {described => (
      <input
        {...described}
        class="big-code"
        name={id}
        value={code}
        placeholder="7K3M-0QXW-PT5H"
        autocomplete="off"
        autocapitalize="characters"
        spellcheck={false}
        onInput={event => type(shownSetupCode(event.currentTarget.value))}
      />
    )}
  </Field>
);
