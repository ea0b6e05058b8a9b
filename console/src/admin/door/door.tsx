import type { GadgetResponse } from '@lintel/wire-protocol/rest/gadget';
import { useState } from 'preact/hooks';
import { LabeledValueList } from '../../components/labeled-value-list.tsx';
import { Button } from '../../design/controls.tsx';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { queryClient } from '../api/query-client.ts';
import { useDevices, useApiObject, useSites } from '../api/resource-hooks.ts';
import { HistoryPanel } from '../audit/history-panel.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { StatusBadge } from '../components/status-badge.tsx';
import { RenameDialog } from '../named-object/rename-dialog.tsx';
import { describeDevicePower } from '../doors/describe-device-power.ts';
import { DoorActionButtons } from '../doors/door-action-buttons.tsx';
import { withPartNames } from '../messages/name-gadget-parts.ts';
import { useDoorStatus } from '../doors/use-door-status.ts';
import { RecentEventList } from '../events/recent-events.tsx';
import { useMessages } from '../messages/language.ts';
import { useLinkTo } from '../router/links-and-query-parameters.ts';
import type { ScreenProps } from '../router/screen-route-type.ts';
import { DoorMemberList } from './door-members.tsx';
import { DoorInputRulesPanel } from './door-input-rules.tsx';
import { LastOpening } from './last-opening.tsx';
import { DoorTriggersPanel } from './triggers/door-triggers.tsx';
import { VirtualDoorControls } from './virtual-door-state-and-signal-buttons.tsx';

const RenameDoor = ({ door }: { readonly door: GadgetResponse }) => {
  const { door: texts } = useMessages();
  const { id } = useCurrentOrganization();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onPress={() => setOpen(true)}>{texts.rename}</Button>
      {isOpen ? (
        <RenameDialog
          title={texts.rename}
          label={texts.name}
          path={`/gadgets/${door.id}`}
          name={door.name}
          reload={() => queryClient.invalidateQueries({ queryKey: [id, 'gadget'] })}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  );
};

const DoorContent = ({ door }: { readonly door: GadgetResponse }) => {
  const messages = useMessages();
  const { door: texts, doors } = messages;
  const { allows } = useCurrentOrganization();
  const linkTo = useLinkTo();
  const { data: devices = [] } = useDevices();
  const { data: sites = [] } = useSites();
  const device = devices.find(({ id }) => id === door.device_id);
  const site = sites.find(({ id }) => id === door.site_id);
  const { level, text, detail, isOnline, staysUnlocked } = useDoorStatus(door, device);
  const isConnected = device?.status.online === true;
  const isVirtual = device?.hardware_id === null;
  const power = device === undefined ? null : describeDevicePower(device.status, messages);
  return (
    <>
      <PageHeader
        title={door.name}
        subtitle={
          <>
            <StatusBadge level={level} text={text} /> {detail}
          </>
        }
      >
        <DoorActionButtons door={door} isOnline={isOnline} isLockFirst={staysUnlocked} isEmphasized />
        {allows('gadgets.write') ? <RenameDoor door={door} /> : null}
      </PageHeader>
      <div class="columns">
        <div class="column">
          <section class="card panel" aria-labelledby="door-state">
            <h2 id="door-state">{texts.state}</h2>
            {allows('events.read') ? <LastOpening door={door} /> : null}
            <LabeledValueList
              facts={[
                [texts.state, detail === null ? text : `${text}, ${detail}`],
                [texts.controller, <a href={linkTo(`/devices/${door.device_id}`)}>{device?.name ?? ''}</a>],
                [texts.connection, isVirtual ? texts.virtualConnection : isConnected ? doors.online : doors.offline],
                [texts.power, power ?? texts.powerUnknown],
                [texts.site, site?.name ?? ''],
              ]}
            />
          </section>
          {isVirtual && allows('gadgets.write') ? <VirtualDoorControls door={door} /> : null}
          {allows('input_rules.read') ? <DoorInputRulesPanel door={door} /> : null}
          {allows('gadget_triggers.read') ? <DoorTriggersPanel door={door} /> : null}
        </div>
        <div class="column">{allows('members.read') ? <DoorMemberList door={door} /> : null}</div>
      </div>
      {allows('events.read') ? (
        <RecentEventList
          title={texts.activity}
          count={10}
          query={{ 'object.gadget_id': door.id }}
          matches={({ object }) => object.gadget_id === door.id}
          activityPath={`/activity?door=${door.id}`}
        />
      ) : null}
      {allows('events.read') ? <HistoryPanel objectId={door.id} /> : null}
    </>
  );
};

export const DoorScreen = ({ params }: ScreenProps) => {
  const messages = useMessages();
  const { doors } = messages;
  const linkTo = useLinkTo();
  const door = useApiObject<GadgetResponse>('gadget', `/gadgets/${params['gadget_id'] ?? ''}`);
  return (
    <>
      <a class="back-link" href={linkTo('/doors')}>
        ← {doors.title}
      </a>
      <QueryContent query={door}>
        {data => <DoorContent key={data.id} door={withPartNames(data, messages)} />}
      </QueryContent>
    </>
  );
};
