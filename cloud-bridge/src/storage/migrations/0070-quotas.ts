import { sql } from 'kysely';
import { createTable, type MigrationContext } from './table-builder.ts';

/** Uses of a quota in its period, and which messages of alert rules are tests, which are sent after the others. */
export const addQuotas = async (context: MigrationContext): Promise<void> => {
  await createTable(context, 'quota_counts', { key: 'text', started_at: 'int', count: 'int' }, 'key');
  const flag = context.engine === 'sqlite' ? 'integer' : 'smallint';
  await sql.raw(`alter table alert_messages add column is_test ${flag} not null default 0`).execute(context.db);
};
