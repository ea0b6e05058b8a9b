import { sql } from 'kysely';
import type { MigrationContext } from './table-builder.ts';

/** Which controllers must send the revocations that they know before they receive access data. */
export const addAwaitsReportedRevocationsColumn = async ({ db }: MigrationContext): Promise<void> => {
  await sql.raw('alter table device_links add column awaits_revocations integer not null default 0').execute(db);
};
