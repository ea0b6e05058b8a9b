import { FormField } from '../../components/form-field.tsx';
import { useInstallation } from '../api/resource-hooks.ts';
import { GroupedSelectField } from '../components/grouped-select-field.tsx';
import { languageNames, languages, useMessages } from '../messages/language.ts';
import type { StayFormValues } from './create-stay.ts';

export type StayPersonValues = Pick<StayFormValues, 'name' | 'email' | 'isSent' | 'language'>;

interface PersonFieldsProps {
  readonly values: StayPersonValues;
  readonly onChange: (values: StayPersonValues) => void;
}

const languageOptions = languages.map(id => ({ id, name: languageNames[id] }));

/** Whether the credentials are sent to the address, and in which language. */
const MailFields = ({ values, onChange }: PersonFieldsProps) => {
  const { stay } = useMessages();
  const { data: installation } = useInstallation();
  if (installation === undefined) return null;
  if (!installation.sends_email) return <p class="quiet small">{stay.noMailServer}</p>;
  return (
    <>
      <label class="choice">
        <input
          type="checkbox"
          checked={values.isSent}
          onChange={event => onChange({ ...values, isSent: event.currentTarget.checked })}
        />
        <span>
          {stay.send}
          <small class="quiet">{stay.sendHint}</small>
        </span>
      </label>
      {values.isSent ? (
        <GroupedSelectField
          id="stay-language"
          label={stay.language}
          value={values.language}
          options={languageOptions}
          onChange={language => onChange({ ...values, language })}
        />
      ) : null}
    </>
  );
};

export const StayPersonFields = ({ values, onChange }: PersonFieldsProps) => {
  const { stay } = useMessages();
  return (
    <fieldset class="form-part card panel">
      <legend>{stay.person}</legend>
      <FormField id="stay-name" label={stay.name}>
        {field => (
          <input
            {...field}
            value={values.name}
            required
            maxLength={200}
            autocomplete="off"
            onInput={event => onChange({ ...values, name: event.currentTarget.value })}
          />
        )}
      </FormField>
      <FormField id="stay-email" label={stay.email} hint={stay.emailHint}>
        {field => (
          <input
            {...field}
            type="email"
            value={values.email}
            autocomplete="off"
            onInput={event => onChange({ ...values, email: event.currentTarget.value })}
          />
        )}
      </FormField>
      <MailFields values={values} onChange={onChange} />
    </fieldset>
  );
};
