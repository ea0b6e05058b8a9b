import { useState } from 'preact/hooks';
import { FormField } from '../../components/form-field.tsx';
import { Form } from '../../components/form.tsx';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { isTimeZone } from '../doors/sites/site-form-values.ts';
import { TimeZoneField } from '../doors/sites/time-zone-field.tsx';
import { useMessages } from '../messages/language.ts';
import { useSaveFirstStep } from './use-save-first-step.ts';

export const FirstSiteStep = () => {
  const { start } = useMessages();
  const { name: organizationName, client } = useCurrentOrganization();
  const { isBusy, save } = useSaveFirstStep();
  const [name, setName] = useState(organizationName);
  const [timezone, setTimezone] = useState(Intl.DateTimeFormat().resolvedOptions().timeZone);
  const submit = () =>
    save(async () => {
      await client.post('/sites', { name: name.trim(), timezone: timezone.trim() });
    });
  return (
    <section class="card panel">
      <h2>{start.siteTitle}</h2>
      <Form
        isDisabled={isBusy || name.trim() === '' || !isTimeZone(timezone)}
        onSubmit={() => void submit()}
        submitLabel={isBusy ? start.saving : start.next}
      >
        <FormField id="site-name" label={start.siteName} hint={start.siteNameHint}>
          {field => (
            <input {...field} value={name} maxLength={200} onInput={event => setName(event.currentTarget.value)} />
          )}
        </FormField>
        <TimeZoneField
          id="site-zone"
          label={start.timezone}
          hint={start.timezoneHint}
          value={timezone}
          isWrong={timezone !== '' && !isTimeZone(timezone)}
          onChange={setTimezone}
        />
      </Form>
    </section>
  );
};
