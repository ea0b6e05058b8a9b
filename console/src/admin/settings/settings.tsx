import type { AdministeredOrganizationResponse } from '@lintel/wire-protocol/admin/organization';
import { useState } from 'preact/hooks';
import { Form } from '../../components/form.tsx';
import { LabeledValueList } from '../../components/labeled-value-list.tsx';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { useObjectEdit } from '../api/use-object-edit.ts';
import { queryClient } from '../api/query-client.ts';
import { useInstallation, useApiObject, useSites } from '../api/resource-hooks.ts';
import { useNotices } from '../components/notices.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { useNotifiedAction } from '../components/use-notified-action.ts';
import { SaveError } from '../components/save-error.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { useUnsavedInput } from '../components/unsaved-input.tsx';
import { SelectField, TextField } from '../components/form-fields.tsx';
import { useMessages } from '../messages/language.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';
import { DeskStayPanel } from './desk-stay.tsx';

const NameForm = ({ organization }: { readonly organization: AdministeredOrganizationResponse }) => {
  const { settings, general } = useMessages();
  const { allows } = useCurrentOrganization();
  const notices = useNotices();
  const edit = useObjectEdit(organization);
  const [name, setName] = useState(organization.name);
  const [error, setError] = useState<Error | null>(null);
  useUnsavedInput(name !== organization.name);
  const save = async (): Promise<void> => {
    try {
      await edit('', { name: name.trim() });
      setError(null);
      notices.show(settings.saved);
      await queryClient.invalidateQueries({ queryKey: ['session'] });
    } catch (problem) {
      setError(problem as Error);
    }
  };
  if (!allows('organization.edit')) return <p>{organization.name}</p>;
  const isUnchanged = name.trim() === '' || name.trim() === organization.name;
  return (
    <Form isDisabled={isUnchanged} onSubmit={() => void save()} submitLabel={general.save}>
      <TextField
        id="organization-name"
        label={settings.name}
        hint={settings.nameHint}
        value={name}
        onChange={setName}
      />
      <SaveError error={error} labels={{ name: settings.name }} />
    </Form>
  );
};

/** Whether controllers that technicians claim need a confirmation. */
const ControllerActivation = ({ organization }: { readonly organization: AdministeredOrganizationResponse }) => {
  const { settings } = useMessages();
  const { allows } = useCurrentOrganization();
  const notices = useNotices();
  const edit = useObjectEdit(organization);
  const { isBusy, run } = useNotifiedAction();
  const change = (isAllowed: boolean): Promise<void> =>
    run(async () => {
      await edit('', { technicians_activate_controllers: isAllowed });
      notices.show(settings.saved);
    });
  return (
    <section class="card panel" aria-labelledby="settings-activation">
      <h2 id="settings-activation">{settings.activation}</h2>
      <label class="choice">
        <input
          type="checkbox"
          checked={organization.technicians_activate_controllers}
          disabled={isBusy || !allows('devices.confirm')}
          onChange={event => void change(event.currentTarget.checked)}
        />
        <span>
          {settings.activationLabel}
          <small class="quiet">{settings.activationHint}</small>
        </span>
      </label>
    </section>
  );
};

type GuestPins = 'off' | 'online' | 'offline';

/** Whom guests call, and whether their page shows PINs. */
const GuestPage = ({ organization }: { readonly organization: AdministeredOrganizationResponse }) => {
  const { settings, general } = useMessages();
  const { allows } = useCurrentOrganization();
  const notices = useNotices();
  const edit = useObjectEdit(organization);
  const [name, setName] = useState(organization.guest_contact_name ?? '');
  const [phone, setPhone] = useState(organization.guest_contact_phone ?? '');
  const [pins, setPins] = useState<GuestPins>(organization.guest_pins as GuestPins);
  const [error, setError] = useState<Error | null>(null);
  const changes = {
    guest_contact_name: name.trim() || null,
    guest_contact_phone: phone.trim() || null,
    guest_pins: pins,
  };
  const save = async (): Promise<void> => {
    try {
      await edit('', changes);
      setError(null);
      notices.show(settings.saved);
    } catch (problem) {
      setError(problem as Error);
    }
  };
  if (!allows('organization.edit')) return null;
  const isUnchanged =
    changes.guest_contact_name === organization.guest_contact_name &&
    changes.guest_contact_phone === organization.guest_contact_phone &&
    pins === organization.guest_pins;
  return (
    <section class="card panel" aria-labelledby="settings-guests">
      <h2 id="settings-guests">{settings.guestPage}</h2>
      <Form isDisabled={isUnchanged} onSubmit={() => void save()} submitLabel={general.save}>
        <TextField
          id="guest-contact-name"
          label={settings.guestContact}
          hint={settings.guestContactHint}
          placeholder={organization.name}
          maxLength={200}
          value={name}
          onChange={setName}
        />
        <TextField
          id="guest-contact-phone"
          label={settings.guestPhone}
          hint={settings.guestPhoneHint}
          maxLength={50}
          value={phone}
          onChange={setPhone}
        />
        <SelectField<GuestPins>
          id="guest-pins"
          label={settings.guestPins}
          hint={settings.guestPinsHint}
          value={pins}
          options={(['off', 'online', 'offline'] as const).map(value => ({
            value,
            label: settings.guestPinChoices[value],
          }))}
          onChange={setPins}
        />
        <SaveError error={error} labels={{ guest_contact_name: settings.guestContact }} />
      </Form>
    </section>
  );
};

const databaseNames: Readonly<Record<string, string>> = { sqlite: 'SQLite', postgres: 'PostgreSQL' };

/** Time zones belong to sites; the console only shows them. */
const TimeZones = () => {
  const { settings } = useMessages();
  const { data: sites = [] } = useSites();
  return (
    <section class="card panel" aria-labelledby="settings-zones">
      <h2 id="settings-zones">{settings.timeZones}</h2>
      <p class="quiet">{settings.timeZonesText}</p>
      <LabeledValueList facts={sites.map(({ name, timezone }) => [name, timezone ?? settings.noTimeZone] as const)} />
    </section>
  );
};

const InstallationFacts = () => {
  const { settings } = useMessages();
  const installation = useInstallation();
  return (
    <section class="card panel" aria-labelledby="settings-installation">
      <h2 id="settings-installation">{settings.installation}</h2>
      <QueryContent query={installation}>
        {({ version, public_url, database, sends_email }) => (
          <LabeledValueList
            facts={[
              [settings.version, version],
              [settings.address, public_url],
              [settings.database, databaseNames[database] ?? database],
              [settings.email, sends_email ? settings.emailOn : settings.emailOff],
            ]}
          />
        )}
      </QueryContent>
    </section>
  );
};

export const SettingsScreen = () => {
  const { settings } = useMessages();
  const { allows } = useCurrentOrganization();
  const time = useSiteTimeFormats();
  const organization = useApiObject<AdministeredOrganizationResponse>('organization', '');
  return (
    <>
      <PageHeader title={settings.title} subtitle={settings.subtitle} />
      <QueryContent query={organization}>
        {data => (
          <section class="card panel" aria-labelledby="settings-organization">
            <h2 id="settings-organization">{settings.organization}</h2>
            <NameForm key={data.name} organization={data} />
            <LabeledValueList
              facts={[
                ...(allows('organization.edit') ? [[settings.id, data.id] as const] : []),
                [settings.created, time.formatDateTime(data.created_at)],
                ...(allows('organization.edit')
                  ? [
                      [
                        settings.whitelabel,
                        data.features.whitelabel ? settings.whitelabelOn : settings.whitelabelOff,
                      ] as const,
                    ]
                  : []),
              ]}
            />
          </section>
        )}
      </QueryContent>
      <QueryContent query={organization}>{data => <GuestPage organization={data} />}</QueryContent>
      <QueryContent query={organization}>{data => <ControllerActivation organization={data} />}</QueryContent>
      <DeskStayPanel />
      <TimeZones />
      <InstallationFacts />
    </>
  );
};
