import { existsSync } from 'node:fs';
import {
  DataFolderError,
  rejectForeignDataFolder,
  requireDataFolderKind,
} from '@lintel/service/data-folder/data-folder';
import { describeDatabase } from '../storage/describe-database.ts';
import { DatabaseUnavailableError } from '../storage/database-error.ts';
import { listPendingMigrations, NewerDatabaseError } from '../storage/migrate.ts';
import { openPostgresWithoutMigrating } from '../storage/open-database-for-reading.ts';
import { buildSqliteFilePath } from '../storage/open-storage.ts';
import { requireFolderDatabase } from './folder-database.ts';

interface DatabaseLocation {
  readonly dataDir: string;
  readonly database: string | undefined;
  readonly clusterSecret: string | undefined;
}

const isUnused = async (url: string): Promise<boolean> => {
  const db = openPostgresWithoutMigrating(url);
  try {
    return (await listPendingMigrations(db as never)) === null;
  } catch (error) {
    if (error instanceof NewerDatabaseError) throw error;
    const { message, code = '' } = error as NodeJS.ErrnoException;
    throw new DatabaseUnavailableError(
      `The database of --database cannot be reached: ${message === '' ? code : message}`,
      { cause: error },
    );
  } finally {
    await db.destroy();
  }
};

/**
 * Throws unless a bridge has used the folder with this database. Writes nothing. With a cluster secret, the folder may be
 * unused: the keys are in the database.
 */
export const requireKnownDatabase = async ({ dataDir, database, clusterSecret }: DatabaseLocation): Promise<void> => {
  if (clusterSecret === undefined) requireDataFolderKind(dataDir, 'bridge');
  else rejectForeignDataFolder(dataDir, 'bridge');
  requireFolderDatabase(dataDir, database);
  if (database === undefined) {
    if (existsSync(buildSqliteFilePath(dataDir))) return;
    throw new DataFolderError(
      `${buildSqliteFilePath(dataDir)} is missing. If the bridge uses PostgreSQL, add --database with its address. Otherwise restore a backup`,
    );
  }
  if (await isUnused(database))
    throw new DataFolderError(
      `The database ${describeDatabase(database)} is empty: no bridge has used it. Check --database`,
    );
};
