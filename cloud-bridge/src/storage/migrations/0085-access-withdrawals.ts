import { sql } from 'kysely';
import { createTable, type MigrationContext } from './table-builder.ts';

/** Which changes took access away from a member, and when each controller first reported that it uses a revision. */
export const addAccessWithdrawals = async (context: MigrationContext): Promise<void> => {
  const flag = context.engine === 'sqlite' ? 'integer' : 'smallint';
  await sql.raw(`alter table access_changes add column withdraws ${flag} not null default 0`).execute(context.db);
  await createTable(
    context,
    'served_revisions',
    { device_id: 'text', organization_id: 'text', revision: 'int', served_at: 'int' },
    'device_id, revision',
    { isClustered: true },
  );
};
