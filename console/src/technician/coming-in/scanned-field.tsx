import { Field } from '../frame/field.tsx';
import { ScanButton } from './scanner.tsx';

interface ScannedFieldProps {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly error: string | null;
  readonly value: string;
  readonly type: (value: string) => void;
}

/** A ticket or a pass: pasted, or read off a screen. */
export const ScannedField = ({ id, label, hint, error, value, type }: ScannedFieldProps) => (
  <>
    <Field {...{ id, label, hint, error }}>
      {described => (
        <textarea
          {...described}
          rows={3}
          value={value}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          onInput={event => type(event.currentTarget.value)}
        />
      )}
    </Field>
    <ScanButton found={type} />
  </>
);
