import { DAY_MS, HOUR_MS } from '@lintel/access-core/durations';
import { instant, type Instant } from '@lintel/access-core/instant';
import type { TimeZone } from '@lintel/access-core/time-zone';
import type { ActivityStatisticsResponse } from '@lintel/wire-protocol/admin/activity-statistics';
import { toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import type { Kysely } from 'kysely';
import type { Database } from '../storage/schema.ts';

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
  const byHour = new Map<number, ActivityStatisticsResponse['buckets'][number]>();
  const buckets: ActivityStatisticsResponse['buckets'] = [];
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

const selectBusiest = (byGadget: ReadonlyMap<string, Counts>): ReadonlyArray<readonly [string, Counts]> =>
  [...byGadget]
    .toSorted(([idA, a], [idB, b]) => b.openings - a.openings || b.denials - a.denials || (idA < idB ? -1 : 1))
    .slice(0, BUSIEST);

const withNames = async (
  db: Kysely<Database>,
  busiest: ReadonlyArray<readonly [string, Counts]>,
): Promise<ActivityStatisticsResponse['gadgets']> => {
  if (busiest.length === 0) return [];
  const ids = busiest.map(([id]) => id);
  const rows = await db.selectFrom('gadgets').select(['id', 'name']).where('id', 'in', ids).execute();
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return busiest.map(([id, counts]) => ({
    gadget_id: id as ActivityStatisticsResponse['gadgets'][number]['gadget_id'],
    name: names.get(id) ?? '',
    ...counts,
  }));
};

/** Openings and denials in a period, from the counts by hour. */
export const loadActivityStatistics = async (
  db: Kysely<Database>,
  organizationId: string,
  request: ActivityStatisticsRequest,
): Promise<ActivityStatisticsResponse> => {
  const { from, to, bucket, zone } = request;
  const inPeriod = db
    .selectFrom('activity_counts')
    .where('activity_counts.organization_id', '=', organizationId)
    .where('hour', '>=', from)
    .where('hour', '<', to);
  const [hours, gadgetRows] = await Promise.all([
    inPeriod
      .select(({ fn }) => ['hour', 'verb', fn.sum<number | string>('count').as('count')])
      .groupBy(['hour', 'verb'])
      .execute(),
    inPeriod
      .select(({ fn }) => ['gadget_id', 'verb', fn.sum<number | string>('count').as('count')])
      .groupBy(['gadget_id', 'verb'])
      .execute(),
  ]);
  const total: Counts = { openings: 0, denials: 0 };
  const { buckets, byHour } = createBuckets(request);
  for (const { hour, verb, count } of hours) {
    add(total, verb, Number(count));
    add(byHour.get(hour)!, verb, Number(count));
  }
  const byGadget = new Map<string, Counts>();
  for (const { gadget_id, verb, count } of gadgetRows) {
    const counts = byGadget.get(gadget_id) ?? { openings: 0, denials: 0 };
    add(counts, verb, Number(count));
    byGadget.set(gadget_id, counts);
  }
  return {
    from: toDateTime(from),
    to: toDateTime(to),
    bucket,
    timezone: zone.name,
    ...total,
    buckets,
    gadgets: await withNames(db, selectBusiest(byGadget)),
  };
};
