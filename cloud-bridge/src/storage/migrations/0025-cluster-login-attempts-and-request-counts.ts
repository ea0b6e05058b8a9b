import { sql } from 'kysely';
import { createTable, type MigrationContext } from './table-builder.ts';

/** Attempts to sign in, and requests of clients, which several bridges count together. */
export const createSharedLimitTables = async (context: MigrationContext): Promise<void> => {
  const attempts = { key: 'text', count: 'int', last_at: 'int', blocked_until: 'int' } as const;
  await createTable(context, 'attempts', attempts, 'key');
  await createTable(context, 'request_counts', { key: 'text', total: 'int', changed_at: 'int' }, 'key');
  // Request counts are only worth a second; without a log they cost no flush to disk.
  if (context.engine === 'postgres') await sql.raw('alter table request_counts set unlogged').execute(context.db);
};
