import type { AttentionItem, AttentionResponse } from '@lintel/wire-protocol/admin/attention-items';
import { StatusIcon } from '../../components/status-icon.tsx';
import { useDevices, useGadgets, useApiObject } from '../api/resource-hooks.ts';
import { QueryContent } from '../components/query-content.tsx';
import { useMessages } from '../messages/language.ts';
import { useLinkTo } from '../router/links-and-query-parameters.ts';
import { DoorActionButtons } from '../doors/door-action-buttons.tsx';
import { useConnectionLostAt } from '../doors/use-door-status.ts';
import { WaitingControllers } from '../device/waiting-controllers.tsx';
import { ClockConfirmation } from './clock-confirmation.tsx';
import { findAttentionItemPath, describeAttentionItem } from '../attention/attention-item.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';

/** Some causes, such as a waiting update, change without an event. */
const RELOAD_MS = 30_000;

const levels = { alarm: 'error', warning: 'warning', notice: 'neutral' } as const;

const AttentionRow = ({ item }: { readonly item: AttentionItem }) => {
  const messages = useMessages();
  const { home } = messages;
  const time = useSiteTimeFormats(item.site_id ?? undefined);
  const { data: doors = [] } = useGadgets();
  const { data: devices = [] } = useDevices();
  const door = doors.find(({ id }) => id === item.gadget_id);
  const device = devices.find(({ id }) => id === item.device_id);
  const name = door?.name ?? device?.name ?? home.controller;
  const linkTo = useLinkTo();
  const path = findAttentionItemPath(item);
  const isUnlocked = item.kind === 'door_unlocked';
  const isConnected = device?.status.online === true;
  const text = isUnlocked && !isConnected ? home.wasUnlocked(name) : describeAttentionItem(messages, item, name);
  return (
    <li class="check">
      <StatusIcon level={levels[item.severity as keyof typeof levels] ?? 'warning'} />
      <div>
        <p>{path === null ? text : <a href={linkTo(path)}>{text}</a>}</p>
        {item.since === null ? null : <p class="quiet small">{home.since(time.formatWithin(item.since))}</p>}
        {isUnlocked && door !== undefined ? (
          <DoorActionButtons door={door} isOnline={isConnected} isLockFirst limit={1} />
        ) : null}
        {item.kind === 'device_unconfirmed' && item.device_id !== null ? (
          <WaitingControllers deviceId={item.device_id} />
        ) : null}
        {item.fault === 'clock_ahead' && item.incident_id !== null ? (
          <ClockConfirmation incidentId={item.incident_id} />
        ) : null}
      </div>
    </li>
  );
};

/** What needs attention, most severe first. */
export const AttentionList = () => {
  const { home } = useMessages();
  const { formatTime } = useSiteTimeFormats();
  const lostAt = useConnectionLostAt();
  const attention = useApiObject<AttentionResponse>('attention', '/attention', {}, true, RELOAD_MS);
  return (
    <section class="card panel" aria-labelledby="home-attention">
      <h2 id="home-attention">{home.attention}</h2>
      {lostAt === null ? null : (
        <p class="check">
          <StatusIcon level="warning" />
          <span>{home.notCurrent(formatTime(lostAt))}</span>
        </p>
      )}
      <QueryContent query={attention}>
        {({ items }) =>
          items.length === 0 && lostAt !== null ? null : items.length === 0 ? (
            <p class="check">
              <StatusIcon level="ok" />
              <span class="quiet">{home.allWell}</span>
            </p>
          ) : (
            <ul class="checks">
              {items.map((item, index) => (
                <AttentionRow key={index} item={item} />
              ))}
            </ul>
          )
        }
      </QueryContent>
    </section>
  );
};
