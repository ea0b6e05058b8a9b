import { openSqlite } from '@lintel/service/sqlite/open-sqlite';
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import { Pool } from 'pg';
import { buildSqliteFilePath } from './open-storage.ts';
import type { Database } from './schema.ts';

export const openPostgresWithoutMigrating = (url: string): Kysely<Database> =>
  new Kysely({ dialect: new PostgresDialect({ pool: new Pool({ connectionString: url, max: 1 }) }) });

/** Opens the database as it is, without migrating it. */
export const openDatabaseForReading = (dataDir: string, url: string | undefined): Kysely<Database> =>
  url === undefined
    ? new Kysely({
        dialect: new SqliteDialect({ database: openSqlite(buildSqliteFilePath(dataDir), { isReadOnly: true }) }),
      })
    : openPostgresWithoutMigrating(url);
