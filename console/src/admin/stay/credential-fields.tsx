import { FormField } from '../../components/form-field.tsx';
import { useMessages } from '../messages/language.ts';
import type { StayFormValues } from './create-stay.ts';

export type StayCredentialValues = Pick<StayFormValues, 'pinLength' | 'hasMagicLink' | 'card'>;

interface CredentialFieldsProps {
  readonly values: StayCredentialValues;
  readonly onChange: (values: StayCredentialValues) => void;
}

const DEFAULT_LENGTH = 6;
const PIN_LENGTHS = [4, 5, 6, 7, 8] as const;

export const StayCredentialFields = ({ values, onChange }: CredentialFieldsProps) => {
  const { stay } = useMessages();
  const { pinLength } = values;
  return (
    <fieldset class="form-part card panel">
      <legend>{stay.credentials}</legend>
      <label class="choice">
        <input
          type="checkbox"
          checked={pinLength !== null}
          onChange={({ currentTarget: { checked } }) =>
            onChange({ ...values, pinLength: checked ? DEFAULT_LENGTH : null })
          }
        />
        <span>
          {stay.pin}
          <small class="quiet">{stay.pinHint}</small>
        </span>
      </label>
      {pinLength === null ? null : (
        <FormField id="stay-pin-length" label={stay.pinLength}>
          {field => (
            <select
              {...field}
              class="narrow"
              value={String(pinLength)}
              onChange={event => onChange({ ...values, pinLength: Number(event.currentTarget.value) })}
            >
              {PIN_LENGTHS.map(length => (
                <option key={length} value={String(length)}>
                  {length}
                </option>
              ))}
            </select>
          )}
        </FormField>
      )}
      <label class="choice">
        <input
          type="checkbox"
          checked={values.hasMagicLink}
          onChange={event => onChange({ ...values, hasMagicLink: event.currentTarget.checked })}
        />
        <span>
          {stay.magicLink}
          <small class="quiet">{stay.magicLinkHint}</small>
        </span>
      </label>
      <FormField id="stay-card" label={stay.card} hint={stay.cardHint}>
        {field => (
          <input
            {...field}
            value={values.card}
            autocomplete="off"
            spellcheck={false}
            onInput={event => onChange({ ...values, card: event.currentTarget.value })}
          />
        )}
      </FormField>
    </fieldset>
  );
};
