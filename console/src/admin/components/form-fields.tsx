import { FormField } from '../../components/form-field.tsx';

interface TextFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly inputMode?: 'text' | 'email' | 'url' | 'numeric';
  readonly placeholder?: string;
  readonly maxLength?: number;
  readonly hint?: string;
  readonly error?: string | null;
  readonly onChange: (value: string) => void;
}

/** A field of one line with its label. */
export const TextField = ({
  id,
  label,
  value,
  inputMode = 'text',
  placeholder,
  maxLength,
  hint,
  error,
  onChange,
}: TextFieldProps) => (
  <FormField id={id} label={label} hint={hint} error={error ?? null}>
    {field => (
      <input
        {...field}
        inputMode={inputMode}
        value={value}
        placeholder={placeholder}
        maxLength={maxLength}
        autocomplete="off"
        spellcheck={false}
        onInput={event => onChange(event.currentTarget.value)}
      />
    )}
  </FormField>
);

interface SelectFieldProps<T extends string> {
  readonly id: string;
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly hint?: string;
  readonly onChange: (value: T) => void;
}

export const SelectField = <T extends string>({ id, label, value, options, hint, onChange }: SelectFieldProps<T>) => (
  <FormField id={id} label={label} hint={hint}>
    {field => (
      <select {...field} value={value} onChange={event => onChange(event.currentTarget.value as T)}>
        {options.map(option => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    )}
  </FormField>
);
