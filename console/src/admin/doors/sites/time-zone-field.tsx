import { FormField } from '../../../components/form-field.tsx';
import { useMessages } from '../../messages/language.ts';

interface TimeZoneFieldProps {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly isWrong: boolean;
  readonly onChange: (value: string) => void;
}

/** The browser lists one name of each zone, often the older one. The bridge accepts all of them. */
const suggestions = [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])];

export const TimeZoneField = ({ id, label, hint, value, isWrong, onChange }: TimeZoneFieldProps) => {
  const { sites } = useMessages();
  return (
    <FormField id={id} label={label} hint={hint} error={isWrong ? sites.errors.timezone : null}>
      {field => (
        <>
          <input
            {...field}
            list={`${id}-list`}
            value={value}
            autocomplete="off"
            spellcheck={false}
            onInput={event => onChange(event.currentTarget.value)}
          />
          <datalist id={`${id}-list`}>
            {suggestions.map(zone => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
        </>
      )}
    </FormField>
  );
};
