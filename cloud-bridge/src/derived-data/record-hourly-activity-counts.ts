import { HOUR_MS } from '@lintel/access-core/durations';
import { type Kysely, sql } from 'kysely';
import type { DatabaseEngine } from '../storage/database-engine-type.ts';
import { createJsonRowsParameter } from '../storage/rows-as-json-parameter.ts';
import type { Database } from '../storage/schema.ts';
import type { RecordedOrganizationChanges } from '../transactions/record-organization-changes.ts';

const columns = { hour: 'int', gadget_id: 'text', verb: 'text', count: 'int' } as const;

/** Counts openings and denials by hour and gadget, in the transaction that records them. */
export const recordActivityCounts = async (
  db: Kysely<Database>,
  engine: DatabaseEngine,
  { organizationId, events }: Pick<RecordedOrganizationChanges, 'organizationId' | 'events'>,
): Promise<void> => {
  const counts = new Map<string, { hour: number; gadget_id: string; verb: string; count: number }>();
  for (const { object_type, object_gadget_id: gadget_id, verb, created_at } of events) {
    if (object_type !== 'gadget_action' || gadget_id === null || (verb !== 'use' && verb !== 'deny')) continue;
    const hour = Math.floor(created_at / HOUR_MS) * HOUR_MS;
    const key = `${hour} ${gadget_id} ${verb}`;
    const count = counts.get(key)?.count ?? 0;
    counts.set(key, { hour, gadget_id, verb, count: count + 1 });
  }
  if (counts.size === 0) return;
  // Without "where true" SQLite parses the conflict clause as a join condition.
  await sql`insert into activity_counts (organization_id, hour, gadget_id, verb, count)
    select ${organizationId}, hour, gadget_id, verb, count
    from ${createJsonRowsParameter(engine, columns, [...counts.values()])} where true
    on conflict (organization_id, hour, gadget_id, verb)
    do update set count = activity_counts.count + excluded.count`.execute(db);
};
