import type {
  DeviceConnectionResponse,
  WaitingControllerResponse,
} from '@lintel/wire-protocol/admin/device-connection';
import { useState } from 'preact/hooks';
import { LabeledValueList } from '../../components/labeled-value-list.tsx';
import { Button } from '../../design/controls.tsx';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { queryClient } from '../api/query-client.ts';
import { useApiObject, useDevices, useSites } from '../api/resource-hooks.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { useNotices } from '../components/notices.tsx';
import { useMessages } from '../messages/language.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';

const GROUP = 8;

/** In groups, so that two of them can be compared. */
const formatFingerprint = (fingerprint: string): string =>
  Array.from({ length: Math.ceil(fingerprint.length / GROUP) }, (_, index) =>
    fingerprint.slice(index * GROUP, (index + 1) * GROUP),
  ).join(' ');

interface WaitingControllerProps {
  readonly deviceId: string;
  readonly controller: WaitingControllerResponse;
}

const WaitingController = ({ deviceId, controller }: WaitingControllerProps) => {
  const { device: texts, door } = useMessages();
  const { id, client, allows } = useCurrentOrganization();
  const { data: devices = [] } = useDevices();
  const { data: sites = [] } = useSites();
  const notices = useNotices();
  const [decision, setDecision] = useState<'confirm' | 'reject' | null>(null);
  const device = devices.find(known => known.id === deviceId);
  const time = useSiteTimeFormats(device?.site_id);
  const name = device?.name ?? '';
  const { hardware_id, fingerprint, since, claimed_by, is_replacement } = controller;
  const decide = async (): Promise<void> => {
    await client.post(`/devices/${deviceId}/${decision}`, { fingerprint });
    notices.show(decision === 'confirm' ? texts.confirmed(name) : texts.rejected(name));
    for (const kind of ['device', 'attention', 'gadget']) await queryClient.invalidateQueries({ queryKey: [id, kind] });
  };
  return (
    <>
      <p>{is_replacement ? texts.waitingReplacement : texts.waitingText}</p>
      <LabeledValueList
        facts={[
          [door.name, name],
          [door.site, sites.find(site => site.id === device?.site_id)?.name ?? ''],
          [texts.hardware, hardware_id ?? texts.unknown],
          [texts.claimedBy, claimed_by ?? texts.unknown],
          [texts.claimedAt, time.formatShort(since)],
          [texts.fingerprint, <code class="fingerprint">{formatFingerprint(fingerprint)}</code>],
        ]}
      />
      {allows('devices.confirm') ? (
        <div class="decision-buttons">
          <Button variant="primary" onPress={() => setDecision('confirm')}>
            {texts.confirm}
          </Button>
          <Button variant="danger" onPress={() => setDecision('reject')}>
            {texts.reject}
          </Button>
        </div>
      ) : null}
      {decision === null ? null : (
        <ConfirmDialog
          title={decision === 'confirm' ? texts.confirmTitle(name) : texts.rejectTitle(name)}
          confirmLabel={decision === 'confirm' ? texts.confirm : texts.reject}
          isDangerous={decision === 'reject'}
          onConfirm={decide}
          onClose={() => setDecision(null)}
        >
          <p>
            {decision === 'confirm'
              ? texts.confirmText
              : is_replacement
                ? texts.rejectReplacementText
                : texts.rejectText}
          </p>
        </ConfirmDialog>
      )}
    </>
  );
};

/** The controllers that wait for a confirmation at this device. */
export const WaitingControllers = ({ deviceId }: { readonly deviceId: string }) => {
  const { data } = useApiObject<DeviceConnectionResponse>('device', `/devices/${deviceId}/connection`);
  return (data?.waiting ?? []).map(controller => (
    <WaitingController key={controller.fingerprint} deviceId={deviceId} controller={controller} />
  ));
};

export const WaitingControllersPanel = ({ deviceId }: { readonly deviceId: string }) => {
  const { device: texts } = useMessages();
  const { data } = useApiObject<DeviceConnectionResponse>('device', `/devices/${deviceId}/connection`);
  if ((data?.waiting ?? []).length === 0) return null;
  return (
    <section class="card panel" aria-labelledby="device-waiting">
      <h2 id="device-waiting">{texts.waiting}</h2>
      <WaitingControllers deviceId={deviceId} />
    </section>
  );
};
