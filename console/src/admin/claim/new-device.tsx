import type { DeviceResponse } from '@lintel/wire-protocol/rest/device';
import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { Form } from '../../components/form.tsx';
import { Button, SegmentedControl } from '../../design/controls.tsx';
import { controllerIcon } from '../../design/icons.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { queryClient } from '../api/query-client.ts';
import { useSites } from '../api/resource-hooks.ts';
import { describeAdminError } from '../components/describe-admin-error.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { TextField } from '../components/form-fields.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { GroupedSelectField } from '../components/grouped-select-field.tsx';
import { useTypedInput } from '../components/unsaved-input.tsx';
import { useSubmission } from '../components/use-submission.ts';
import { standardPartNames } from '../messages/en/part-names.ts';
import { useMessages } from '../messages/language.ts';
import { useLinkTo } from '../router/links-and-query-parameters.ts';
import { ClaimTicketPanel } from './claim-ticket.tsx';
import { NameDeviceForm } from './name-device.tsx';

/** Steps for the person on site, the ticket, then the names. */
const ClaimController = ({ siteId }: { readonly siteId: string }) => {
  const { claim: texts } = useMessages();
  const [isIssued, setIssued] = useState(false);
  const [deviceId, setDeviceId] = useState<string | null>(null);
  if (deviceId !== null) return <NameDeviceForm deviceId={deviceId} />;
  return (
    <section class="card panel form-part">
      {isIssued ? <ClaimTicketPanel siteId={siteId} deviceId={null} onClaimed={setDeviceId} /> : null}
      <ol class="numbered">
        {texts.steps.map(step => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {isIssued ? null : (
        <div class="bar">
          <Button variant="primary" onPress={() => setIssued(true)}>
            {texts.issue}
          </Button>
        </div>
      )}
    </section>
  );
};

const CreateVirtualDoor = ({ siteId }: { readonly siteId: string }) => {
  const messages = useMessages();
  const { claim: texts } = messages;
  const { id, client } = useCurrentOrganization();
  const { route } = useLocation();
  const linkTo = useLinkTo();
  const [name, setName] = useState('');
  const { isBusy, error, submit } = useSubmission();
  const { onInput } = useTypedInput();
  const create = (): Promise<void> =>
    submit(async () => {
      const device = await client.post<DeviceResponse>('/devices', {
        site_id: siteId,
        name: texts.virtualDevice,
        product_id: 'virtual',
        gadgets: [
          {
            name: name.trim(),
            actions: [{ id: 'open', name: standardPartNames.actions.open }],
            states: [
              { id: 'locked', name: standardPartNames.states.locked },
              { id: 'unlocked', name: standardPartNames.states.unlocked },
            ],
            signals: [{ id: 'doorbell', name: standardPartNames.signals.doorbell }],
            state_id: 'locked',
          },
        ],
      });
      await queryClient.invalidateQueries({ queryKey: [id] });
      route(linkTo(`/devices/${device.id}`));
    });
  return (
    <section class="card panel form-part">
      <p class="quiet">{texts.virtualText}</p>
      <Form
        isDisabled={isBusy || name.trim() === ''}
        onSubmit={() => void create()}
        onInput={onInput}
        submitLabel={texts.createVirtual}
      >
        <TextField
          id="virtual-name"
          label={texts.virtualName}
          error={error === null ? null : describeAdminError(messages, error)}
          value={name}
          maxLength={200}
          onChange={setName}
        />
      </Form>
    </section>
  );
};

/** Adds a controller that a technician claims on site, or a virtual door. */
export const NewDeviceScreen = () => {
  const { claim: texts, doors } = useMessages();
  const { allows } = useCurrentOrganization();
  const linkTo = useLinkTo();
  const sites = useSites();
  const [selected, setSelected] = useState('');
  const [kind, setKind] = useState<'controller' | 'virtual'>('controller');
  return (
    <>
      <a class="back-link" href={linkTo('/doors')}>
        ← {doors.title}
      </a>
      <PageHeader title={texts.title} />
      <QueryContent query={sites}>
        {all => {
          const siteId = all.find(({ id }) => id === selected)?.id ?? all[0]?.id;
          if (siteId === undefined)
            return <EmptyState icon={controllerIcon} title={doors.noSiteTitle} text={doors.noSiteText} />;
          return (
            <>
              <div class="card panel form-part">
                <GroupedSelectField
                  id="claim-site"
                  label={texts.site}
                  value={siteId}
                  options={all}
                  onChange={setSelected}
                />
                {allows('devices.write') ? (
                  <SegmentedControl
                    name="kind"
                    legend={texts.kind}
                    value={kind}
                    options={[
                      { value: 'controller', label: texts.controller },
                      { value: 'virtual', label: texts.virtual },
                    ]}
                    onChange={setKind}
                  />
                ) : null}
              </div>
              {kind === 'controller' ? (
                <ClaimController key={siteId} siteId={siteId} />
              ) : (
                <CreateVirtualDoor siteId={siteId} />
              )}
            </>
          );
        }}
      </QueryContent>
    </>
  );
};
