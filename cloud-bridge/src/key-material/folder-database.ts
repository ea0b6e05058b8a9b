import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataFolderError } from '@lintel/service/data-folder/data-folder';
import { writePrivateFile } from '@lintel/service/data-folder/private-file';
import { describeDatabase } from '../storage/describe-database.ts';

/** Exists when the keys have been used with a database. Keys alone are normal before the first start. */
const markerFile = (dataDir: string): string => join(dataDir, 'database-created');

const read = (dataDir: string): { readonly createdAt: string; readonly database: string | null } | null => {
  try {
    const [createdAt = '', database = ''] = readFileSync(markerFile(dataDir), 'utf8').split('\n');
    // Files of earlier versions have the time only.
    return { createdAt, database: database === '' ? null : database };
  } catch {
    return null;
  }
};

/** Whether the folder has been used with a database. */
export const hasUsedDatabase = (dataDir: string): boolean => read(dataDir) !== null;

/** Records the database of the folder, without user name and password. */
export const recordFolderDatabase = (dataDir: string, url: string | undefined, now: number): void => {
  const known = read(dataDir);
  const database = describeDatabase(url);
  if (known?.database === database) return;
  writePrivateFile(markerFile(dataDir), `${known?.createdAt ?? new Date(now).toISOString()}\n${database}\n`);
};

const SQLITE = describeDatabase(undefined);

/** Throws a DataFolderError if the folder was used with SQLite, and now PostgreSQL is given, or the reverse. */
export const requireFolderDatabase = (dataDir: string, url: string | undefined): void => {
  const database = read(dataDir)?.database ?? null;
  if (database === null || (database === SQLITE) === (url === undefined)) return;
  const advice =
    url === undefined
      ? 'Add --database with its address, or --config with the configuration file of the bridge'
      : 'Leave out --database';
  throw new DataFolderError(
    `${dataDir} belongs to a bridge whose database is ${database}, not ${describeDatabase(url)}. ${advice}`,
  );
};
