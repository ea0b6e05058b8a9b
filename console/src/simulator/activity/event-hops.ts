import type { EventHopTimes, SimulatorActivityEntry } from '@lintel/wire-protocol/simulator/activity-entry';

export const eventHopNames = ['door', 'gateway', 'bridge', 'webhook'] as const;
export type EventHopName = (typeof eventHopNames)[number];

export const eventHopLabels: Readonly<Record<EventHopName, string>> = {
  door: 'Door',
  gateway: 'Gateway',
  bridge: 'Bridge',
  webhook: 'Webhook',
};

export interface EventHop {
  readonly stop: EventHopName;
  /** `skipped`: not on the route of this event. `next`: the event is expected here. */
  readonly state: 'reached' | 'next' | 'later' | 'skipped';
  /** The time at the first stop, and the delay since then at the others. */
  readonly time: string;
}

/** Longer delays come from a changed clock and are shown as a time. */
const MAX_DELAY_MS = 24 * 3_600_000;

const formatDelay = (ms: number): string => {
  if (ms < 1000) return `+${Math.round(ms)} ms`;
  if (ms < 60_000) return `+${(ms / 1000).toFixed(1)} s`;
  if (ms < 3_600_000) return `+${Math.round(ms / 60_000)} min`;
  return `+${Math.round(ms / 3_600_000)} h`;
};

const timeAt = (way: EventHopTimes, stop: EventHopName, clock: (iso: string) => string): string => {
  const at = way[stop];
  if (at === null) return '';
  const first = eventHopNames.find(one => way[one] !== null);
  if (first === undefined || first === stop) return clock(at);
  const ms = Date.parse(at) - Date.parse(way[first]!);
  if (ms > MAX_DELAY_MS || ms < -MAX_DELAY_MS) return clock(at);
  return formatDelay(Math.max(0, ms));
};

const isOnRoute = ({ passes_gateway, way, decided_by }: SimulatorActivityEntry, stop: EventHopName): boolean => {
  if (stop === 'gateway') return passes_gateway || way.gateway !== null;
  return stop !== 'door' || way.door !== null || decided_by === 'door';
};

export const listEventHops = (event: SimulatorActivityEntry, clock: (iso: string) => string): readonly EventHop[] => {
  const { way } = event;
  const next = eventHopNames.find(stop => isOnRoute(event, stop) && way[stop] === null);
  return eventHopNames.map(stop => {
    const time = timeAt(way, stop, clock);
    if (way[stop] !== null) return { stop, state: 'reached', time };
    if (!isOnRoute(event, stop)) return { stop, state: 'skipped', time };
    return { stop, state: stop === next ? 'next' : 'later', time };
  });
};

const stateText: Readonly<Record<EventHop['state'], string>> = {
  reached: '',
  next: 'waiting',
  later: 'not yet',
  skipped: 'not used',
};

export const describeEventHop = ({ stop, state, time }: EventHop): string =>
  `${eventHopLabels[stop]}: ${state === 'reached' ? time : stateText[state]}`;
