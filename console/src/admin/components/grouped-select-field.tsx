import { FormField } from '../../components/field.tsx';

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
  readonly onChange: (value: string) => void;
}

const optionsOf = (options: readonly SelectOption[]) =>
  options.map(({ id, name }) => (
    <option key={id} value={id}>
      {name}
    </option>
  ));

export const GroupedSelectField = ({ id, label, value, options, hint, onChange }: SelectFieldProps) => (
  <FormField id={id} label={label} {...(hint === undefined ? {} : { hint })}>
    {field => (
      <select {...field} value={value} onChange={event => onChange(event.currentTarget.value)}>
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
