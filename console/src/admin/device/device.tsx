import type { DeviceConnectionResponse } from '@lintel/wire-protocol/admin/device-connection';
import type { DeviceResponse } from '@lintel/wire-protocol/rest/device';
import type { GadgetResponse } from '@lintel/wire-protocol/rest/gadget';
import type { ProductResponse } from '@lintel/wire-protocol/rest/product';
import { type LabeledValueEntry, LabeledValueList } from '../../components/labeled-value-list.tsx';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { useDevices, useGadgets, useApiList, useApiObject, useSites } from '../api/resource-hooks.ts';
import { PageHeader } from '../components/page-header.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { StatusBadge } from '../components/status-badge.tsx';
import { describeDevicePower } from '../doors/describe-device-power.ts';
import { useDoorStatus } from '../doors/use-door-status.ts';
import { RecentEventList } from '../events/recent-events.tsx';
import type { AdminMessages } from '../messages/en.ts';
import { useMessages } from '../messages/language.ts';
import { useLinkTo } from '../router/links-and-query-parameters.ts';
import type { ScreenProps } from '../router/screen-route-type.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';
import { DeviceActionButtons } from './rename-replace-delete-device-buttons.tsx';
import { ConnectionTimeline, DeviceFaultList } from './device-faults-and-connection-timeline.tsx';
import { HealthHistoryPanel } from './health-history-panel.tsx';
import { TechnicianPagePanel } from './technician-page-panel.tsx';
import { WaitingControllersPanel } from './waiting-controllers.tsx';
import { DeviceInputRulesPanel, InputRulesSummary } from './rules/device-input-rules.tsx';

/** Controllers confirm a change a moment after it happened, without an event. */
const RELOAD_MS = 10_000;

/** Since when it is connected, or when it was connected last. */
const describeContact = (
  isOnline: boolean,
  { seen_at, offline_since }: Pick<DeviceConnectionResponse, 'seen_at' | 'offline_since'>,
  texts: AdminMessages['device'],
  formatTime: (iso: string) => string,
): readonly (readonly [string, string])[] => {
  if (seen_at === null) return [[texts.lastSeen, texts.never]];
  if (isOnline) return [[texts.connectedSince, formatTime(seen_at)]];
  return [[texts.lastSeen, offline_since === null ? texts.unknown : formatTime(offline_since)]];
};

const useConnectionFacts = (device: DeviceResponse): readonly LabeledValueEntry[] => {
  const { device: texts } = useMessages();
  const time = useSiteTimeFormats(device.site_id);
  const { data: devices = [] } = useDevices();
  const { data: connection } = useApiObject<DeviceConnectionResponse>(
    'device',
    `/devices/${device.id}/connection`,
    {},
    true,
    RELOAD_MS,
  );
  if (device.hardware_id === null || connection === undefined) return [];
  const { firmware, seen_at, offline_since, gateway_id, served_revision, current_revision } = connection;
  const gateway = devices.find(({ id }) => id === gateway_id)?.name;
  return [
    [texts.hardware, device.hardware_id],
    [texts.firmware, firmware ?? texts.unknown],
    ...describeContact(device.status.online, { seen_at, offline_since }, texts, time.formatShort),
    ...(gateway === undefined ? [] : [[texts.gateway, gateway] as const]),
    [
      texts.data,
      served_revision === null
        ? texts.noData
        : served_revision >= current_revision
          ? texts.dataCurrent(served_revision)
          : texts.dataBehind(served_revision, current_revision),
    ],
  ];
};

const DeviceDoor = ({ door, device }: { readonly door: GadgetResponse; readonly device: DeviceResponse }) => {
  const linkTo = useLinkTo();
  const { level, text, detail } = useDoorStatus(door, device);
  return (
    <>
      <span>
        <a href={linkTo(`/doors/${door.id}`)}>{door.name}</a>
        {detail === null ? null : <small class="quiet"> {detail}</small>}
      </span>
      <StatusBadge level={level} text={text} />
    </>
  );
};

const DeviceDoors = ({ device }: { readonly device: DeviceResponse }) => {
  const messages = useMessages();
  const { data: gadgets = [] } = useGadgets();
  const doors = gadgets.filter(({ device_id }) => device_id === device.id);
  return (
    <section class="card panel" aria-labelledby="device-doors">
      <h2 id="device-doors">{messages.device.doors}</h2>
      {doors.length === 0 ? <p class="quiet">{messages.device.noDoors}</p> : null}
      <ul class="entry-list">
        {doors.map(door => (
          <li key={door.id}>
            <DeviceDoor door={door} device={device} />
          </li>
        ))}
      </ul>
    </section>
  );
};

const DeviceContent = ({ device }: { readonly device: DeviceResponse }) => {
  const messages = useMessages();
  const { device: texts, doors, door, claim } = messages;
  const { allows } = useCurrentOrganization();
  const { data: sites = [] } = useSites();
  const { data: products = [] } = useApiList<ProductResponse>('product', '/products');
  const { product_id } = device;
  const productName =
    product_id === 'virtual' ? claim.virtualDevice : (products.find(({ id }) => id === product_id)?.name ?? product_id);
  const connectionFacts = useConnectionFacts(device);
  const { online } = device.status;
  const isVirtual = device.hardware_id === null;
  const hasRules = device.capabilities.input_rules;
  return (
    <>
      <PageHeader
        title={device.name}
        subtitle={
          <>
            {door.controller}{' '}
            <StatusBadge level={online ? 'ok' : 'neutral'} text={online ? doors.online : doors.offline} />
          </>
        }
      >
        <DeviceActionButtons device={device} />
      </PageHeader>
      <WaitingControllersPanel deviceId={device.id} />
      <div class="columns">
        <div class="column">
          <section class="card panel" aria-labelledby="device-facts">
            <h2 id="device-facts">{texts.about}</h2>
            <LabeledValueList
              facts={[
                [door.site, sites.find(({ id }) => id === device.site_id)?.name ?? ''],
                [texts.product, productName],
                ...(isVirtual ? [[door.connection, door.virtualConnection] as const] : connectionFacts),
                [door.power, describeDevicePower(device.status, messages) ?? door.powerUnknown],
              ]}
            />
          </section>
          {isVirtual ? null : <DeviceDoors device={device} />}
          {isVirtual ? null : <HealthHistoryPanel device={device} />}
        </div>
        <div class="column">
          {isVirtual ? <DeviceDoors device={device} /> : null}
          {isVirtual ? null : <DeviceFaultList device={device} />}
          {isVirtual || !allows('events.read') ? null : <ConnectionTimeline device={device} />}
          {isVirtual || !allows('input_rules.write') ? null : <TechnicianPagePanel device={device} />}
        </div>
      </div>
      {hasRules && allows('input_rules.write') ? <DeviceInputRulesPanel device={device} /> : null}
      {hasRules && allows('input_rules.read') && !allows('input_rules.write') ? (
        <InputRulesSummary device={device} />
      ) : null}
      {allows('events.read') ? (
        <RecentEventList
          title={door.activity}
          count={10}
          query={{ 'object.device_id': device.id }}
          matches={({ object }) => object.device_id === device.id}
          activityPath={`/activity?device=${device.id}`}
        />
      ) : null}
    </>
  );
};

export const DeviceScreen = ({ params }: ScreenProps) => {
  const { doors } = useMessages();
  const linkTo = useLinkTo();
  const device = useApiObject<DeviceResponse>('device', `/devices/${params['device_id'] ?? ''}`);
  return (
    <>
      <a class="back-link" href={linkTo('/doors?view=devices')}>
        ← {doors.title}
      </a>
      <QueryContent query={device}>{data => <DeviceContent key={data.id} device={data} />}</QueryContent>
    </>
  );
};
