import { FormField } from '../../components/form-field.tsx';

export interface SelectOption {
  readonly id: string;
  readonly name: string;
  /** Options with the same group are listed below its name. */
  readonly group?: string;
}

interface SelectFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly SelectOption[];
  readonly hint?: string;
  /** Shown while no option is chosen; without it, the first option looks chosen. */
  readonly placeholder?: string;
  readonly onChange: (value: string) => void;
}

const optionsOf = (options: readonly SelectOption[]) =>
  options.map(({ id, name }) => (
    <option key={id} value={id}>
      {name}
    </option>
  ));

export const GroupedSelectField = ({ id, label, value, options, hint, placeholder, onChange }: SelectFieldProps) => (
  <FormField id={id} label={label} hint={hint}>
    {field => (
      <select {...field} value={value} onChange={event => onChange(event.currentTarget.value)}>
        {placeholder === undefined || value !== '' ? null : <option value="">{placeholder}</option>}
        {[...Map.groupBy(options, ({ group }) => group ?? '')].map(([group, members]) =>
          group === '' ? (
            optionsOf(members)
          ) : (
            <optgroup key={group} label={group}>
              {optionsOf(members)}
            </optgroup>
          ),
        )}
      </select>
    )}
  </FormField>
);
