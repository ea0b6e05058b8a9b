import { useState } from 'preact/hooks';
import { FormField } from '../../components/form-field.tsx';
import { Form } from '../../components/form.tsx';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { useMessages } from '../messages/language.ts';
import { useSaveFirstStep } from './use-save-first-step.ts';

const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const zones = [...new Set([browserZone, ...Intl.supportedValuesOf('timeZone')])].toSorted();

export const FirstSiteStep = () => {
  const { start } = useMessages();
  const { name: organizationName, client } = useCurrentOrganization();
  const { isBusy, save } = useSaveFirstStep();
  const [name, setName] = useState(organizationName);
  const [timezone, setTimezone] = useState(browserZone);
  const submit = () =>
    save(async () => {
      await client.post('/sites', { name: name.trim(), timezone });
    });
  return (
    <section class="card panel">
      <h2>{start.siteTitle}</h2>
      <Form
        isDisabled={isBusy || name.trim() === ''}
        onSubmit={() => void submit()}
        submitLabel={isBusy ? start.saving : start.next}
      >
        <FormField id="site-name" label={start.siteName} hint={start.siteNameHint}>
          {field => (
            <input {...field} value={name} maxLength={200} onInput={event => setName(event.currentTarget.value)} />
          )}
        </FormField>
        <FormField id="site-zone" label={start.timezone} hint={start.timezoneHint}>
          {field => (
            <select {...field} value={timezone} onChange={event => setTimezone(event.currentTarget.value)}>
              {zones.map(zone => (
                <option key={zone} value={zone}>
                  {zone.replaceAll('_', ' ')}
                </option>
              ))}
            </select>
          )}
        </FormField>
      </Form>
    </section>
  );
};
