import { createTable, type MigrationContext } from './table-builder.ts';

/** One row for each key file that the data depends on: a value that only the right key yields. */
export const createKeyChecksTable = (context: MigrationContext): Promise<void> =>
  createTable(context, 'key_checks', { name: 'text', value: 'text', created_at: 'int' }, 'name');
