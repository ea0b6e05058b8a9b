import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DataFolderError, rejectForeignDataFolder } from '@lintel/service/data-folder/data-folder';
import { FileError, readRequiredFile, toFileError } from '@lintel/service/data-folder/file-error';
import type { Kysely } from 'kysely';
import { verifyMasterKeys } from '../key-material/open-verified-master-keys.ts';
import { hasSharedKeyFiles } from '../key-material/shared-key-files.ts';
import { readAuthorityCheckValue, readMasterKeyCheckValues } from '../secrets/key-check-values.ts';
import { KeyMaterialError } from '../secrets/key-material-error.ts';
import { MasterKeys, buildMasterKeyFilePath } from '../secrets/master-keys.ts';
import { listPendingMigrations, NewerDatabaseError } from '../storage/migrate.ts';
import { openDatabaseForReading } from '../storage/open-database-for-reading.ts';
import { buildSqliteFilePath } from '../storage/open-storage.ts';
import type { Database } from '../storage/schema.ts';
import { computeCertificateFingerprint } from '../tls/certificate-authority.ts';

export interface UpgradeCheckOptions {
  readonly dataDir: string;
  readonly database: string | undefined;
  /** The secret that seals the keys of several bridges. */
  readonly clusterSecret?: string | undefined;
}

export interface UpgradeFinding {
  readonly subject: string;
  readonly isOk: boolean;
  readonly message: string;
}

const OTHERS = 0o077;

const checkFolder = (dataDir: string): string => {
  if (!existsSync(dataDir)) return `${dataDir} will be created`;
  rejectForeignDataFolder(dataDir, 'bridge');
  const mode = statSync(dataDir).mode & 0o777;
  if ((mode & OTHERS) !== 0)
    throw new DataFolderError(`Other users can read ${dataDir} (mode ${mode.toString(8)}). Run: chmod 700 ${dataDir}`);
  return dataDir;
};

const describePending = (pending: readonly string[] | null): string => {
  if (pending === null) return 'Empty. All tables will be created';
  if (pending.length === 0) return 'Current. Nothing will be migrated';
  return `${pending.length} migrations will run: ${pending.join(', ')}. Back up first`;
};

const checkMasterKeys = async (db: Kysely<Database>, dataDir: string): Promise<string> => {
  const checks = await readMasterKeyCheckValues(db);
  const file = buildMasterKeyFilePath(dataDir);
  if (!existsSync(file)) {
    if (checks.size > 0) throw new FileError(`${file} is missing, but the database contains data. Restore it.`);
    return 'Will be created';
  }
  verifyMasterKeys(MasterKeys.open(dataDir), checks, dataDir);
  return 'Belong to the database';
};

const checkAuthority = async (db: Kysely<Database>, dataDir: string): Promise<string> => {
  const recorded = await readAuthorityCheckValue(db);
  if (recorded === null) return 'Not in use yet';
  readRequiredFile(join(dataDir, 'ca-key.pem'));
  const file = join(dataDir, 'ca.pem');
  if (computeCertificateFingerprint(readRequiredFile(file)) !== recorded)
    throw new FileError(`${file} is not the certificate authority of this database. Restore it from a backup.`);
  return 'Belongs to the database';
};

/** The table is missing before its migration. */
const findSharedKeys = async (db: Kysely<Database>): Promise<boolean> => {
  const tables = await db.introspection.getTables();
  return tables.some(({ name }) => name === 'shared_key_files') && (await hasSharedKeyFiles(db));
};

const checkClusterSecret = ({ clusterSecret }: UpgradeCheckOptions): UpgradeFinding => ({
  subject: 'Keys',
  isOk: clusterSecret !== undefined,
  message:
    clusterSecret === undefined
      ? 'Sealed by a cluster secret. Add --cluster-secret-file with the file of the other bridges'
      : 'Sealed in the database by the cluster secret',
});

const expectedErrors = [DataFolderError, FileError, KeyMaterialError, NewerDatabaseError];

const messageOf = (error: unknown, { dataDir, database }: UpgradeCheckOptions): string => {
  if (expectedErrors.some(expected => error instanceof expected)) return (error as Error).message;
  if (database === undefined) return toFileError(buildSqliteFilePath(dataDir), error).message;
  const { message, code } = error as NodeJS.ErrnoException;
  return `Cannot be reached: ${message === '' ? code : message}`;
};

const runCheck = async (
  options: UpgradeCheckOptions,
  subject: string,
  check: () => Promise<string> | string,
): Promise<UpgradeFinding> => {
  try {
    return { subject, isOk: true, message: await check() };
  } catch (error) {
    return { subject, isOk: false, message: messageOf(error, options) };
  }
};

/** What a start of this version would do with the data. Changes nothing. */
export const checkUpgrade = async (options: UpgradeCheckOptions): Promise<UpgradeFinding[]> => {
  const { dataDir, database } = options;
  const folder = await runCheck(options, 'Data folder', () => checkFolder(dataDir));
  if (database === undefined && !existsSync(buildSqliteFilePath(dataDir)))
    return [folder, { subject: 'Database', isOk: true, message: describePending(null) }];
  let db: Kysely<Database>;
  try {
    db = openDatabaseForReading(dataDir, database);
  } catch (error) {
    return [folder, { subject: 'Database', isOk: false, message: messageOf(error, options) }];
  }
  try {
    let pending: readonly string[] | null = null;
    const checked = await runCheck(options, 'Database', async () => {
      pending = await listPendingMigrations(db as Kysely<unknown>);
      return describePending(pending);
    });
    if (!checked.isOk || pending === null) return [folder, checked];
    if (await findSharedKeys(db)) return [folder, checked, checkClusterSecret(options)];
    return [
      folder,
      checked,
      await runCheck(options, 'Master keys', () => checkMasterKeys(db, dataDir)),
      await runCheck(options, 'Certificate authority', () => checkAuthority(db, dataDir)),
    ];
  } finally {
    await db.destroy();
  }
};
