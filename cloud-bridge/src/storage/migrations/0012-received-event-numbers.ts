import { sql } from 'kysely';
import type { MigrationContext } from './table-builder.ts';

/** Which event numbers of each controller have arrived, to report exactly which events are lost. */
export const addReceivedEventsColumn = async ({ db }: MigrationContext): Promise<void> => {
  await sql.raw(`alter table device_links add column received_events text not null default '{}'`).execute(db);
};
