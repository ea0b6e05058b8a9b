import type { EventWay, Happening } from '@lintel/wire-protocol/simulator/happening';

export const stops = ['door', 'gateway', 'bridge', 'webhook'] as const;
export type Stop = (typeof stops)[number];

export const stopNames: Readonly<Record<Stop, string>> = {
  door: 'Door',
  gateway: 'Gateway',
  bridge: 'Bridge',
  webhook: 'Webhook',
};

export interface StopView {
  readonly stop: Stop;
  /** `past`: not on the way of this event. `next`: where it is expected now. */
  readonly state: 'reached' | 'next' | 'later' | 'past';
  /** The time at the first stop, and how long after it at the others. */
  readonly time: string;
}

/** A controller whose clock was stepped writes times that cannot be subtracted. */
const LONGEST_WAY_MS = 24 * 3_600_000;

const lasting = (ms: number): string => {
  if (ms < 1000) return `+${Math.round(ms)} ms`;
  if (ms < 60_000) return `+${(ms / 1000).toFixed(1)} s`;
  if (ms < 3_600_000) return `+${Math.round(ms / 60_000)} min`;
  return `+${Math.round(ms / 3_600_000)} h`;
};

const timeAt = (way: EventWay, stop: Stop, clock: (iso: string) => string): string => {
  const at = way[stop];
  if (at === null) return '';
  const first = stops.find(one => way[one] !== null);
  if (first === undefined || first === stop) return clock(at);
  const ms = Date.parse(at) - Date.parse(way[first]!);
  if (ms > LONGEST_WAY_MS || ms < -LONGEST_WAY_MS) return clock(at);
  return lasting(Math.max(0, ms));
};

const isOnWay = ({ passes_gateway, way, decided_by }: Happening, stop: Stop): boolean => {
  if (stop === 'gateway') return passes_gateway || way.gateway !== null;
  return stop !== 'door' || way.door !== null || decided_by === 'door';
};

/** The four stops of an event, as far as it has come. */
export const stopsOf = (happening: Happening, clock: (iso: string) => string): readonly StopView[] => {
  const { way } = happening;
  const next = stops.find(stop => isOnWay(happening, stop) && way[stop] === null);
  return stops.map(stop => {
    const time = timeAt(way, stop, clock);
    if (way[stop] !== null) return { stop, state: 'reached', time };
    if (!isOnWay(happening, stop)) return { stop, state: 'past', time };
    return { stop, state: stop === next ? 'next' : 'later', time };
  });
};

const stateWords: Readonly<Record<StopView['state'], string>> = {
  reached: '',
  next: 'waiting for it',
  later: 'not yet',
  past: 'not on its way',
};

export const stopWords = ({ stop, state, time }: StopView): string =>
  `${stopNames[stop]}: ${state === 'reached' ? time : stateWords[state]}`;
