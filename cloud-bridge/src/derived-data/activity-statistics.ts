import { instant, type Instant } from '@lintel/access-core/instant';
import type { TimeZone } from '@lintel/access-core/time-zone';
import type { ActivityResponse } from '@lintel/wire-protocol/admin/activity';
import { toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import type { Kysely } from 'kysely';
import type { Database } from '../storage/schema.ts';
import { HOUR_MS } from './activity-counts.ts';

const DAY_MS = 24 * HOUR_MS;
const BUSIEST = 20;

export interface ActivityStatisticsRequest {
  /** Start of an hour. */
  readonly from: Instant;
  /** Start of an hour, exclusive. */
  readonly to: Instant;
  readonly bucket: 'hour' | 'day';
  readonly zone: TimeZone;
}

interface Counts {
  openings: number;
  denials: number;
}

const add = (counts: Counts, verb: string, count: number): void => {
  if (verb === 'use') counts.openings += count;
  else counts.denials += count;
};

/** The bucket of each hour. A day begins at the first hour of the local date. */
const createBuckets = ({ from, to, bucket, zone }: ActivityStatisticsRequest) => {
  const byHour = new Map<number, ActivityResponse['buckets'][number]>();
  const buckets: ActivityResponse['buckets'] = [];
  let current: number | undefined;
  for (let hour: number = from; hour < to; hour += HOUR_MS) {
    const local = hour + zone.offsetAt(instant(hour));
    const key = Math.floor(local / (bucket === 'day' ? DAY_MS : HOUR_MS));
    if (key !== current || bucket === 'hour') {
      buckets.push({ starts_at: toDateTime(instant(hour)), openings: 0, denials: 0 });
      current = key;
    }
    byHour.set(hour, buckets.at(-1)!);
  }
  return { buckets, byHour };
};

/** Openings and denials in a period, from the counts by hour. */
export const loadActivityStatistics = async (
  db: Kysely<Database>,
  organizationId: string,
  request: ActivityStatisticsRequest,
): Promise<ActivityResponse> => {
  const { from, to, bucket, zone } = request;
  const inPeriod = db
    .selectFrom('activity_counts')
    .where('activity_counts.organization_id', '=', organizationId)
    .where('hour', '>=', from)
    .where('hour', '<', to);
  const hours = await inPeriod
    .select(({ fn }) => ['hour', 'verb', fn.sum<number | string>('count').as('count')])
    .groupBy(['hour', 'verb'])
    .execute();
  const gadgetRows = await inPeriod
    .leftJoin('gadgets', 'gadgets.id', 'activity_counts.gadget_id')
    .select(({ fn }) => ['gadget_id', 'verb', 'gadgets.name', fn.sum<number | string>('count').as('count')])
    .groupBy(['gadget_id', 'verb', 'gadgets.name'])
    .execute();
  const total: Counts = { openings: 0, denials: 0 };
  const { buckets, byHour } = createBuckets(request);
  for (const { hour, verb, count } of hours) {
    add(total, verb, Number(count));
    add(byHour.get(hour)!, verb, Number(count));
  }
  const gadgets = new Map<string, ActivityResponse['gadgets'][number]>();
  for (const { gadget_id, name, verb, count } of gadgetRows) {
    const id = gadget_id as ActivityResponse['gadgets'][number]['gadget_id'];
    const entry = gadgets.get(id) ?? { gadget_id: id, name: name ?? '', openings: 0, denials: 0 };
    add(entry, verb, Number(count));
    gadgets.set(id, entry);
  }
  return {
    from: toDateTime(from),
    to: toDateTime(to),
    bucket,
    timezone: zone.name,
    ...total,
    buckets,
    gadgets: [...gadgets.values()]
      .toSorted((a, b) => b.openings - a.openings || b.denials - a.denials || (a.gadget_id < b.gadget_id ? -1 : 1))
      .slice(0, BUSIEST),
  };
};
