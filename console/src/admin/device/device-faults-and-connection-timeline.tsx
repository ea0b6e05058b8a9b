import { describeFault } from '@lintel/access-core/alerts/describe-alert';
import { DAY_MS } from '@lintel/access-core/durations';
import type { DeviceResponse } from '@lintel/wire-protocol/rest/device';
import type { EventResponse } from '@lintel/wire-protocol/rest/event';
import { useMemo } from 'preact/hooks';
import { StatusIcon } from '../../components/status-icon.tsx';
import { useApiList } from '../api/resource-hooks.ts';
import { useLanguage } from '../messages/language.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';
import { listConnectionPeriods, computeOnlineShare } from './connection-history.ts';

const DAYS = 7;

interface Fault {
  readonly code: string;
  readonly since: string;
  readonly message: string;
}

const faultsOf = ({ status }: DeviceResponse): readonly Fault[] =>
  (status as { readonly faults?: readonly Fault[] }).faults ?? [];

/** What the device reports to be wrong, and what to do. */
export const DeviceFaultList = ({ device }: { readonly device: DeviceResponse }) => {
  const { messages } = useLanguage();
  const { device: texts, home, alerts } = messages;
  const time = useSiteTimeFormats(device.site_id);
  const faults = faultsOf(device);
  return (
    <section class="card panel" aria-labelledby="device-faults">
      <h2 id="device-faults">{texts.faults}</h2>
      {faults.length === 0 ? (
        <p class="check">
          <StatusIcon level={device.status.online ? 'ok' : 'neutral'} />
          <span class="quiet">{device.status.online ? texts.noFaults : texts.faultsUnknown}</span>
        </p>
      ) : null}
      <ul class="checks">
        {faults.map(({ code, since, message }) => (
          <li key={code} class="check">
            <StatusIcon level={code.includes('tamper') ? 'error' : 'warning'} />
            <div>
              <p>{describeFault(alerts.texts, code, device.name) ?? message}</p>
              <p class="advice">{texts.advice[code.split(':')[0] ?? ''] ?? texts.defaultAdvice}</p>
              <p class="quiet small">{home.since(time.formatWithin(since))}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
};

/** When the device was connected during the last days, from its events. */
export const ConnectionTimeline = ({ device }: { readonly device: DeviceResponse }) => {
  const { messages, locale } = useLanguage();
  const { device: texts } = messages;
  const time = useSiteTimeFormats(device.site_id);
  const until = useMemo(() => Date.now(), [device.status.online]);
  const from = until - DAYS * DAY_MS;
  const query = { 'object.device_id': device.id, 'object.type': 'device' };
  const since = { 'occurred_at:ge': new Date(from).toISOString() };
  const { data: online = [] } = useApiList<EventResponse>('device', '/events', {
    ...query,
    ...since,
    reason: 'online',
  });
  const { data: offline = [] } = useApiList<EventResponse>('device', '/events', {
    ...query,
    ...since,
    reason: 'offline',
  });
  const changes = [...online, ...offline].map(({ occurred_at, reason }) => ({
    at: Date.parse(occurred_at),
    isOnline: (reason as string) === 'online',
  }));
  // New hardware is offline until it connects, without an event.
  changes.push({ at: until - 1, isOnline: device.status.online });
  const created = Date.parse(device.created_at);
  const isNew = created > from;
  const all = listConnectionPeriods(changes, {
    from: isNew ? Math.min(created, until - 1) : from,
    until,
    isOnline: device.status.online,
  });
  // The time before the first connection of a new device is not an interruption.
  const periods = isNew && all.length > 1 && !all[0]!.isOnline ? all.slice(1) : all;
  const start = periods[0]!.from;
  const interruptions = periods.filter(({ isOnline }) => !isOnline).length;
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(
    computeOnlineShare(periods),
  );
  return (
    <section class="card panel" aria-labelledby="device-history">
      <h2 id="device-history">{texts.history}</h2>
      <p>{texts.historySummary(percent, interruptions)}</p>
      <div class="connection-bar" aria-hidden="true">
        {periods.map(period => (
          <span
            key={period.from}
            data-is-online={period.isOnline ? '' : undefined}
            style={{ flexGrow: (period.until - period.from) / (until - start) }}
          />
        ))}
      </div>
      <p class="title-line quiet small">
        <span>{time.formatShort(new Date(start).toISOString())}</span>
        <span>{texts.now}</span>
      </p>
    </section>
  );
};
