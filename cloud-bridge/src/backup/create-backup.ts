import { copyFileSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ensurePrivateFolder } from '@lintel/service/data-folder/data-folder';
import { asCaller } from '@lintel/service/data-folder/folder-owner';
import { requireKnownDatabase } from '../key-material/require-known-database.ts';
import { SharedKeyFileSync } from '../key-material/shared-key-files.ts';
import { openPostgresWithoutMigrating } from '../storage/open-database-for-reading.ts';
import { verifyMasterKeys } from '../key-material/open-verified-master-keys.ts';
import { MasterKeys, buildMasterKeyFilePath } from '../secrets/master-keys.ts';
import type { ArchivedFileSource, BackupArchiveEncryptionOptions } from './encrypted-archive.ts';
import { BackupError } from './backup-error.ts';
import { copyDatabase, type DatabaseCopy } from './database-copy.ts';
import {
  backupArchiveFormat,
  backupKeyFileNames,
  type BackupManifest,
  backupStateFileNames,
} from './archive-manifest.ts';
import { createArchivedFileSource, requireUnusedArchivePath, writeVerifiedArchive } from './write-verified-archive.ts';
import { withBackupWorkFolder } from './work-folder.ts';

export interface BackupCreationOptions extends BackupArchiveEncryptionOptions {
  readonly dataDir: string;
  /** `postgres://…`; default: SQLite in the data folder. */
  readonly database: string | undefined;
  readonly out: string;
  /** The secret that seals the keys of several bridges in the database. */
  readonly clusterSecret?: string | undefined;
  readonly hasKeys: boolean;
  readonly now: number;
}

export interface CreatedBackup {
  readonly file: string;
  readonly size: number;
  readonly manifest: BackupManifest;
}

const filesBelow = (dataDir: string, folder: string): string[] =>
  existsSync(join(dataDir, folder))
    ? readdirSync(join(dataDir, folder), { withFileTypes: true })
        .filter(entry => entry.isFile())
        .map(entry => join(folder, entry.name))
    : [];

/** A bridge of a cluster may have an empty data folder. */
const pullSharedKeys = async ({ dataDir, database, clusterSecret }: BackupCreationOptions): Promise<void> => {
  if (database === undefined || clusterSecret === undefined) return;
  const db = openPostgresWithoutMigrating(database);
  try {
    await new SharedKeyFileSync(dataDir, clusterSecret).pull(db);
  } finally {
    await db.destroy();
  }
};

/**
 * Copies the keys after the database: a rotation adds a key before it uses it, so the copied keys include all keys of the
 * copied database.
 */
const copyKeys = (dataDir: string, folder: string, { keyChecks }: DatabaseCopy): string[] => {
  if (!existsSync(buildMasterKeyFilePath(dataDir)))
    throw new BackupError(
      `${buildMasterKeyFilePath(dataDir)} is missing. Give the data folder of the bridge, or --cluster-secret-file.`,
    );
  const names = backupKeyFileNames.filter(name => existsSync(join(dataDir, name)));
  for (const name of names) copyFileSync(join(dataDir, name), join(folder, name));
  verifyMasterKeys(MasterKeys.open(folder), keyChecks, dataDir);
  return names.map(name => join(folder, name));
};

const collectFiles = async (
  { dataDir, hasKeys }: BackupCreationOptions,
  folder: string,
  copy: DatabaseCopy,
): Promise<ArchivedFileSource[]> => {
  const keys = hasKeys ? copyKeys(dataDir, folder, copy) : [];
  const others = [
    ...backupStateFileNames.filter(name => existsSync(join(dataDir, name))),
    ...filesBelow(dataDir, 'release-keys'),
  ];
  const releases = filesBelow(dataDir, 'releases').filter(path => path.endsWith('.release'));
  const sources = [
    ...keys.map(file => [relative(folder, file), file] as const),
    ...[...others, ...releases].map(path => [path, join(dataDir, path)] as const),
    [copy.path, copy.file] as const,
  ];
  const files: ArchivedFileSource[] = [];
  for (const [path, source] of sources) files.push(await createArchivedFileSource(path, source));
  return files;
};

/**
 * Writes an encrypted copy of the database, the keys and the releases, also while a bridge runs. The file appears only
 * after it was read back and verified. Throws a BackupError.
 */
export const createBackup = async (options: BackupCreationOptions): Promise<CreatedBackup> => {
  const { dataDir, database, out, hasKeys, now } = options;
  requireUnusedArchivePath(out);
  await requireKnownDatabase({ dataDir, database, clusterSecret: options.clusterSecret });
  ensurePrivateFolder(dataDir);
  return withBackupWorkFolder(dataDir, async folder => {
    options.report?.('Copying the database');
    const copy = await copyDatabase(dataDir, database, folder);
    await pullSharedKeys(options);
    options.report?.('Reading the copy');
    const sources = await collectFiles(options, folder, copy);
    const manifest: BackupManifest = {
      format: 'lintel-backup',
      version: 1,
      created_at: new Date(now).toISOString(),
      engine: copy.engine,
      has_keys: hasKeys,
      migrations: copy.migrations,
      contents: copy.contents,
      files: sources.map(({ path, size, sha256 }) => ({ path, size, sha256 })),
    };
    await writeVerifiedArchive(out, backupArchiveFormat, manifest, sources, options);
    return { file: out, size: asCaller(() => statSync(out)).size, manifest };
  });
};
