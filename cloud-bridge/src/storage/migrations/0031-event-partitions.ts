import { sql } from 'kysely';
import { computeLowestEventId, computeStartOfUtcMonth } from '../event-month-boundaries-and-table-names.ts';
import type { MigrationContext } from './table-builder.ts';

interface IndexDefinition {
  readonly name: string;
  readonly definition: string;
}

/**
 * Partitions the events by month on PostgreSQL, so that months are dropped and not deleted row by row. The partition key is
 * the id, which begins with the time of the event: ids stay unique over all months, and a lookup by id reads one month.
 *
 * The present table becomes the partition of all events until the end of this month, without copying its rows.
 */
export const partitionEventsTable = async ({ db, engine, now }: MigrationContext): Promise<void> => {
  if (engine === 'sqlite') return;
  const run = (text: string) => sql.raw(text).execute(db);
  const { rows: indexes } = await sql<IndexDefinition>`select indexname as name, indexdef as definition from pg_indexes
    where schemaname = current_schema() and tablename = 'events' and indexname <> 'events_pkey'`.execute(db);
  await run('alter table events rename to events_earlier');
  await run('alter table events_earlier rename constraint events_pkey to events_earlier_pkey');
  for (const { name } of indexes) await run(`alter index "${name}" rename to "earlier_${name}"`);
  await run('create table events (like events_earlier including defaults, primary key (id)) partition by range (id)');
  for (const { definition } of indexes) await run(definition.replace(/^CREATE UNIQUE/, 'CREATE'));
  await run('create table events_default partition of events default');
  const end = `'${computeLowestEventId(computeStartOfUtcMonth(now, 1))}'`;
  await run(`with later as (delete from events_earlier where id >= ${end} returning *)
    insert into events_default select * from later`);
  await run(`alter table events attach partition events_earlier for values from (minvalue) to (${end})`);
  // The writer assigns `recorded_at` under a lock of the organization. A unique index would have to contain the id.
  for (const { name, definition } of indexes)
    if (definition.startsWith('CREATE UNIQUE')) await run(`drop index "earlier_${name}"`);
};
