import { sql } from 'kysely';
import { createTable, type MigrationContext } from './table-builder.ts';

/** Files that all bridges of a database share: sealed keys, and releases in chunks by their position in the file. */
export const createSharedFileTables = async (context: MigrationContext): Promise<void> => {
  await createTable(context, 'shared_key_files', { name: 'text', sealed: 'text', changed_at: 'int' }, 'name');
  const [int, bytes] = context.engine === 'sqlite' ? ['integer', 'blob'] : ['bigint', 'bytea'];
  await sql
    .raw(
      `create table shared_file_chunks (name text not null, position ${int} not null, bytes ${bytes} not null,
        created_at ${int} not null, primary key (name, position))`,
    )
    .execute(context.db);
};
