import type { RolloutDetailResponse, RolloutDevice } from '@lintel/wire-protocol/admin/rollout';
import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { queryClient } from '../api/query-client.ts';
import { useDevices, useApiObject } from '../api/resource-hooks.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { StatusBadge } from '../components/status-badge.tsx';
import { useNotifiedAction } from '../components/use-notified-action.ts';
import { useMessages } from '../messages/language.ts';
import { useLinkTo } from '../router/links-and-query-parameters.ts';
import type { ScreenProps } from '../router/screen-route-type.ts';
import { selectRolloutStatusLevel, countRolloutProgress } from './rollout-progress.ts';

/** Devices report their progress without an event. */
const RELOAD_MS = 2_000;

const RolloutActions = ({ rollout }: { readonly rollout: RolloutDetailResponse }) => {
  const { updates: texts } = useMessages();
  const { id, client, allows } = useCurrentOrganization();
  const { run } = useNotifiedAction();
  const [isCancelling, setCancelling] = useState(false);
  const change = async (action: 'pause' | 'resume' | 'cancel'): Promise<void> => {
    await client.post(`/rollouts/${rollout.id}/${action}`);
    await queryClient.invalidateQueries({ queryKey: [id, 'rollout'] });
  };
  const changeNow = (action: 'pause' | 'resume') => () => void run(() => change(action));
  const { state } = rollout;
  if (!allows('updates.write') || state === 'done' || state === 'cancelled') return null;
  return (
    <>
      {state === 'running' ? (
        <Button onPress={changeNow('pause')}>{texts.pause}</Button>
      ) : (
        <Button variant="primary" onPress={changeNow('resume')}>
          {texts.resume}
        </Button>
      )}
      <Button variant="danger" onPress={() => setCancelling(true)}>
        {texts.cancel}
      </Button>
      {isCancelling ? (
        <ConfirmDialog
          title={texts.cancelTitle}
          confirmLabel={texts.cancel}
          isDangerous
          onConfirm={() => change('cancel')}
          onClose={() => setCancelling(false)}
        >
          <p>{texts.cancelText}</p>
        </ConfirmDialog>
      ) : null}
    </>
  );
};

const DeviceItem = ({ device }: { readonly device: RolloutDevice }) => {
  const { updates: texts, doors } = useMessages();
  const linkTo = useLinkTo();
  const { data: devices = [] } = useDevices();
  const name = devices.find(({ id }) => id === device.device_id)?.name ?? device.device_id;
  const details = [
    texts.stage(device.stage + 1),
    device.running_version === null ? null : texts.runs(device.running_version),
    device.online ? null : doors.offline,
    device.reason,
  ];
  const state = texts.deviceStates[device.state] ?? device.state;
  return (
    <li>
      <span>
        <a href={linkTo(`/devices/${device.device_id}`)}>{name}</a>
        <small class="quiet">{details.filter(detail => detail !== null).join(' · ')}</small>
      </span>
      <StatusBadge
        level={selectRolloutStatusLevel(device.state)}
        text={device.percent === null ? state : `${state} ${device.percent} %`}
      />
    </li>
  );
};

const RolloutContent = ({ rollout }: { readonly rollout: RolloutDetailResponse }) => {
  const { updates: texts } = useMessages();
  const { total, confirmed, failed } = countRolloutProgress(rollout);
  const name = texts.releaseName(texts.programs[rollout.program] ?? rollout.program, rollout.version);
  return (
    <>
      <PageHeader
        title={name}
        subtitle={
          <StatusBadge
            level={selectRolloutStatusLevel(rollout.state)}
            text={texts.states[rollout.state] ?? rollout.state}
          />
        }
      >
        <RolloutActions rollout={rollout} />
      </PageHeader>
      <section class="card panel" aria-labelledby="rollout-progress">
        <h2 id="rollout-progress">{texts.progressLabel}</h2>
        <progress max={Math.max(1, total)} value={confirmed} aria-labelledby="rollout-progress" />
        <p>{texts.progress(confirmed, total, failed)}</p>
        <p class="quiet small">{texts.stageOf(rollout.stage + 1, rollout.stages.length)}</p>
        {rollout.reason === null ? null : <p class="wrong">{texts.halted(rollout.reason)}</p>}
      </section>
      <section class="card panel" aria-labelledby="rollout-devices">
        <h2 id="rollout-devices">{texts.devices}</h2>
        <ul class="entry-list">
          {rollout.devices.map(device => (
            <DeviceItem key={device.device_id} device={device} />
          ))}
        </ul>
      </section>
    </>
  );
};

export const RolloutScreen = ({ params }: ScreenProps) => {
  const { updates: texts } = useMessages();
  const linkTo = useLinkTo();
  const rollout = useApiObject<RolloutDetailResponse>(
    'rollout',
    `/rollouts/${params['rollout_id'] ?? ''}`,
    {},
    true,
    RELOAD_MS,
  );
  return (
    <>
      <a class="back-link" href={linkTo('/updates')}>
        ← {texts.title}
      </a>
      <QueryContent query={rollout}>{data => <RolloutContent rollout={data} />}</QueryContent>
    </>
  );
};
