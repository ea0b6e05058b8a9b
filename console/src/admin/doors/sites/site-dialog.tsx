import type { SiteResponse } from '@lintel/wire-protocol/rest/site';
import { useState } from 'preact/hooks';
import { FormField } from '../../../components/form-field.tsx';
import { useCurrentOrganization } from '../../api/current-organization.ts';
import { queryClient } from '../../api/query-client.ts';
import { useObjectEdit } from '../../api/use-object-edit.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { useMessages } from '../../messages/language.ts';
import {
  DEFAULT_SITE_RADIUS,
  findInvalidSiteField,
  type SiteFormValues,
  toSiteRequestBody,
  toSiteFormValues,
} from './site-form-values.ts';
import { TimeZoneField } from './time-zone-field.tsx';

interface SiteDialogProps {
  /** Null for a new site. */
  readonly site: SiteResponse | null;
  readonly onClose: () => void;
}

const newSite = (): SiteFormValues => ({
  name: '',
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  coordinates: '',
  radius: DEFAULT_SITE_RADIUS,
});

/** Name, time zone and location of a site. */
export const SiteDialog = ({ site, onClose }: SiteDialogProps) => {
  const { sites: texts } = useMessages();
  const { id, client } = useCurrentOrganization();
  const [form, setForm] = useState(() => (site === null ? newSite() : toSiteFormValues(site)));
  const edit = useObjectEdit(site);
  const wrong = findInvalidSiteField(form, site);
  const save = async (): Promise<void> => {
    if (site === null) await client.post('/sites', toSiteRequestBody(form));
    else await edit(`/sites/${site.id}`, toSiteRequestBody(form));
    await queryClient.invalidateQueries({ queryKey: [id, 'site'] });
  };
  const field = (name: keyof SiteFormValues, label: string, hint: string, attributes: object = {}) => (
    <FormField
      id={`site-${name}`}
      label={label}
      hint={hint}
      error={wrong === name && form[name] !== '' ? texts.errors[name] : null}
    >
      {described => (
        <input
          {...described}
          {...attributes}
          value={form[name]}
          autocomplete="off"
          onInput={event => setForm({ ...form, [name]: event.currentTarget.value })}
        />
      )}
    </FormField>
  );
  return (
    <FormDialog
      title={site === null ? texts.add : texts.edit(site.name)}
      isDisabled={wrong !== null}
      fieldLabels={{ name: texts.name, timezone: texts.timezone, geo: texts.coordinates }}
      onSubmit={save}
      onClose={onClose}
    >
      {field('name', texts.name, '', { maxLength: 200 })}
      <TimeZoneField
        id="site-timezone"
        label={texts.timezone}
        hint={texts.timezoneHint}
        value={form.timezone}
        isWrong={wrong === 'timezone'}
        onChange={timezone => setForm({ ...form, timezone })}
      />
      {field('coordinates', texts.coordinates, texts.coordinatesHint, {
        inputMode: 'text',
        placeholder: '41.4036, 2.1744',
      })}
      {form.coordinates.trim() === ''
        ? null
        : field('radius', texts.radius, texts.radiusHint, { inputMode: 'numeric' })}
    </FormDialog>
  );
};
