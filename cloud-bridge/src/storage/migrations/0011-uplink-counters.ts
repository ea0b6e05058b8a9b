import { sql } from 'kysely';
import { createTable, type MigrationContext } from './table-builder.ts';

/** Counters of signed uplink messages, so that a recorded message cannot be replayed, and ids of events that two devices used. */
export const createUplinkCounterTables = async (context: MigrationContext): Promise<void> => {
  const type = context.engine === 'sqlite' ? 'integer' : 'bigint';
  await sql.raw(`alter table device_links add column hello_counter ${type} not null default 0`).execute(context.db);
  await createTable(context, 'uplink_counters', { device_id: 'text', kind: 'text', counter: 'int' }, 'device_id, kind');
  await createTable(
    context,
    'reassigned_event_ids',
    { device_id: 'text', event_id: 'text', stored_id: 'text' },
    'device_id, event_id',
  );
};
