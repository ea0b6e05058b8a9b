import type { EventResponse } from '@lintel/wire-protocol/rest/event';
import { computeDateTimeLocalValue } from '../time/date-time-local-value.ts';

export const eventFilterKinds = ['all', 'use', 'deny', 'state', 'create', 'edit', 'delete', 'reveal'] as const;
type EventKind = (typeof eventFilterKinds)[number];

export interface EventFilter {
  readonly kind: EventKind;
  readonly memberId: string | null;
  readonly gadgetId: string | null;
  readonly deviceId: string | null;
  readonly reason: string | null;
  readonly from: string | null;
  readonly until: string | null;
}

const kindFilters: Readonly<Record<EventKind, Readonly<Record<string, string>>>> = {
  all: {},
  use: { verb: 'use', 'object.type': 'gadget_action' },
  deny: { verb: 'deny' },
  state: { 'object.type': 'gadget_state' },
  create: { verb: 'create' },
  edit: { verb: 'edit' },
  delete: { verb: 'delete' },
  reveal: { verb: 'reveal' },
};

/** The parameters of the event list. */
export const toEventQuery = ({ kind, memberId, gadgetId, deviceId, reason, from, until }: EventFilter) => ({
  ...kindFilters[kind],
  'subject.member_id': memberId,
  'object.gadget_id': gadgetId,
  'object.device_id': deviceId,
  reason,
  'occurred_at:ge': from,
  'occurred_at:lt': until,
});

const valueOf = (event: EventResponse, name: string): unknown => {
  const [field = '', part] = name.split('.');
  const value = (event as unknown as Readonly<Record<string, unknown>>)[field];
  return part === undefined ? value : (value as Readonly<Record<string, unknown>> | undefined)?.[part];
};

/** Whether a new event belongs to the list, as the bridge filters it. */
export const matchesEventFilter = (event: EventResponse, filter: EventFilter): boolean =>
  Object.entries(toEventQuery(filter)).every(([name, wanted]) => {
    if (wanted === null) return true;
    const [field = '', operator] = name.split(':');
    const value = valueOf(event, field);
    if (operator === 'ge') return Date.parse(String(value)) >= Date.parse(wanted);
    if (operator === 'lt') return Date.parse(String(value)) < Date.parse(wanted);
    return value === wanted;
  });

export const activityPeriods = ['today', 'last_night', 'yesterday', 'week'] as const;
type Period = (typeof activityPeriods)[number];

/** Wall-clock times of the site, as in the inputs. An empty text means no limit. */
interface TimeRange {
  readonly from: string;
  readonly until: string;
}

const EVENING_HOUR = 18;
const MORNING_HOUR = 8;

export const computeActivityPeriodRange = (period: Period, now: number, zone: string): TimeRange => {
  const at = (days: number, hour: number): string => computeDateTimeLocalValue(now, zone, days, hour);
  const ranges: Readonly<Record<Period, TimeRange>> = {
    today: { from: at(0, 0), until: '' },
    last_night: { from: at(-1, EVENING_HOUR), until: at(0, MORNING_HOUR) },
    yesterday: { from: at(-1, 0), until: at(0, 0) },
    week: { from: at(-7, 0), until: '' },
  };
  return ranges[period];
};

/** The period that a range is, if any. */
export const findActivityPeriodOfRange = ({ from, until }: TimeRange, now: number, zone: string): Period | null =>
  activityPeriods.find(period => {
    const range = computeActivityPeriodRange(period, now, zone);
    return range.from === from && range.until === until;
  }) ?? null;
