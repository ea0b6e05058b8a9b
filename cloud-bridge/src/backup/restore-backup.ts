import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ensurePrivateFolder } from '@lintel/service/data-folder/data-folder';
import { type ReportProgress, reportNothing } from '@lintel/service/command-line/progress';
import { asCaller } from '@lintel/service/data-folder/folder-owner';
import { flushFolderSync } from '@lintel/service/data-folder/flush-folder';
import { migrationNames } from '../storage/migrate.ts';
import { readBackupArchive } from './encrypted-archive.ts';
import { BackupError } from './backup-error.ts';
import { requireIntactSqliteDatabase, requireEmptyPostgresDatabase } from './database-copy.ts';
import {
  backupArchiveFormat,
  backupKeyFileNames,
  type BackupManifest,
  BACKUP_POSTGRES_PATH,
  BACKUP_SQLITE_PATH,
} from './archive-manifest.ts';
import { type ReadFreeBytes, requireFreeSpace } from './free-space.ts';
import { restorePostgres } from './postgres-tools.ts';
import { createPrivateFileStream, withBackupWorkFolder, isBackupWorkFolder } from './work-folder.ts';

export interface BackupRestoreOptions {
  readonly file: string;
  readonly dataDir: string;
  readonly database: string | undefined;
  readonly passphrase: string;
  readonly freeBytes?: ReadFreeBytes;
  readonly report?: ReportProgress;
}

/** A backup without keys is restored beside the keys of its bridge. */
const rejectUsedFolder = (dataDir: string, mayHaveKeys: boolean): void => {
  const allowed = mayHaveKeys ? backupKeyFileNames : [];
  const found = readdirSync(dataDir).find(name => !allowed.includes(name) && !isBackupWorkFolder(name));
  if (found !== undefined)
    throw new BackupError(`${dataDir} is not empty: it contains ${found}. Restore into an empty folder.`);
};

const checkTarget = (
  { engine, migrations, has_keys }: BackupManifest,
  { dataDir, database }: BackupRestoreOptions,
): void => {
  const newer = migrations.filter(name => !migrationNames.includes(name));
  if (newer.length > 0)
    throw new BackupError(`The backup is of a newer version (${newer.join(', ')}). Update this program, then restore.`);
  if (engine === 'postgres' && database === undefined)
    throw new BackupError('The backup is of a PostgreSQL database. Add --database with the URL of an empty database.');
  if (engine === 'sqlite' && database !== undefined)
    throw new BackupError('The backup is of a SQLite database. Leave out --database.');
  rejectUsedFolder(dataDir, !has_keys);
};

/** Moves the database last, so that a bridge does not start with half of a backup. */
const moveFiles = (from: string, to: string, { files }: BackupManifest): void => {
  const paths = files.map(({ path }) => path).filter(path => path !== BACKUP_POSTGRES_PATH);
  for (const path of paths.toSorted((a, b) => Number(a === BACKUP_SQLITE_PATH) - Number(b === BACKUP_SQLITE_PATH))) {
    const target = join(to, path);
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    renameSync(join(from, path), target);
    flushFolderSync(dirname(target));
  }
  flushFolderSync(to);
};

/** Decrypts and verifies the whole backup before it changes anything. Throws a BackupError. */
export const restoreBackup = async (options: BackupRestoreOptions): Promise<BackupManifest> => {
  const { file, dataDir, database, passphrase, freeBytes, report = reportNothing } = options;
  if (!asCaller(() => existsSync(file))) throw new BackupError(`${file} does not exist.`);
  ensurePrivateFolder(dataDir);
  rejectUsedFolder(dataDir, true);
  if (database !== undefined) await requireEmptyPostgresDatabase(database);
  return withBackupWorkFolder(dataDir, async folder => {
    const manifest = await readBackupArchive(file, backupArchiveFormat, passphrase, {
      onManifest: found => {
        checkTarget(found, options);
        requireFreeSpace(folder, found.files, freeBytes);
      },
      targetOf: path => createPrivateFileStream(join(folder, path)),
      report,
    });
    report('Checking the database');
    if (database === undefined) requireIntactSqliteDatabase(join(folder, BACKUP_SQLITE_PATH));
    else await restorePostgres(database, join(folder, BACKUP_POSTGRES_PATH));
    moveFiles(folder, dataDir, manifest);
    return manifest;
  });
};
