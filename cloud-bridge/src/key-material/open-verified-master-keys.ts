import { existsSync } from 'node:fs';
import { type Kysely, sql } from 'kysely';
import { sealedColumns } from '../resources/sealed-columns.ts';
import { readMasterKeyCheckValues, recordMasterKeyCheckValue } from '../secrets/key-check-values.ts';
import { KeyMaterialError } from '../secrets/key-material-error.ts';
import { MasterKeys, buildMasterKeyFilePath } from '../secrets/master-keys.ts';
import { unsealSecret } from '../secrets/sealing.ts';
import { buildSqliteFilePath } from '../storage/open-storage.ts';
import type { Database } from '../storage/schema.ts';
import { hasUsedDatabase, recordFolderDatabase } from './folder-database.ts';

type Db = Kysely<Database>;

const RESET_HINT =
  'If it is lost, `lintel keys reset --confirm` deletes what it sealed (PINs, magic links, webhooks, client secrets, claims of controllers) and creates a new key.';

const keyError = (dataDir: string, problem: string): KeyMaterialError =>
  new KeyMaterialError(
    `${buildMasterKeyFilePath(dataDir)} ${problem}. Restore the file of this database from a backup or from another bridge. ${RESET_HINT}`,
  );

const lostDatabase = (dataDir: string): KeyMaterialError =>
  new KeyMaterialError(
    `The database is empty, but ${buildMasterKeyFilePath(dataDir)} was used with an earlier one. Restore the database from a backup. To start without its data, run \`lintel bridge\` once with --new-database.`,
  );

/** Throws a KeyMaterialError for a folder that was used before, and whose SQLite database is missing. Creates nothing. */
export const rejectLostDatabase = (dataDir: string): void => {
  const isLost = hasUsedDatabase(dataDir) && existsSync(buildMasterKeyFilePath(dataDir));
  if (isLost && !existsSync(buildSqliteFilePath(dataDir))) throw lostDatabase(dataDir);
};

const hasOrganizations = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('organizations').select('id').limit(1).executeTakeFirst()) !== undefined;

const SAMPLES = 20;

/** For a database from before key checks: opens a value of each kind. Single damaged values do not matter. */
const verifySealedValues = async (db: Db, keys: MasterKeys, dataDir: string): Promise<void> => {
  for (const { table, id, column, contextOf } of sealedColumns) {
    const { rows } = await sql<{ id: string; organization_id: string; sealed: string }>`
      select ${sql.ref(id)} as id, organization_id, ${sql.ref(column)} as sealed from ${sql.table(table)}
      limit ${SAMPLES}`.execute(db);
    const canOpen = rows.some(row => {
      try {
        unsealSecret(keys, row.sealed, contextOf(row.organization_id, row.id));
        return true;
      } catch {
        return false;
      }
    });
    if (rows.length > 0 && !canOpen)
      throw keyError(dataDir, 'contains another key than the one that sealed the secrets in the database');
  }
};

/** Throws a KeyMaterialError unless the keys yield all check values. */
export const verifyMasterKeys = (keys: MasterKeys, checks: ReadonlyMap<number, string>, dataDir: string): void => {
  for (const [version, value] of checks) {
    if (!keys.versions.includes(version))
      throw keyError(dataDir, `lacks key ${version}, which sealed secrets in the database`);
    if (keys.checkValue(version) !== value)
      throw keyError(dataDir, `contains another key ${version} than the one that sealed the secrets in the database`);
  }
};

export interface MasterKeyOptions {
  readonly now: number;
  readonly isNewDatabase: boolean;
  /** `postgres://…`; undefined for SQLite. */
  readonly database: string | undefined;
}

/**
 * Opens the master keys and verifies that they belong to the database. Creates them only for a database without data.
 * Keys beside an empty database mean that the database is lost; `isNewDatabase` accepts that.
 * Throws a KeyMaterialError.
 */
export const openVerifiedMasterKeys = async (
  db: Db,
  dataDir: string,
  { now, isNewDatabase, database }: MasterKeyOptions,
): Promise<MasterKeys> => {
  const checks = await readMasterKeyCheckValues(db);
  const hasData = checks.size > 0 || (await hasOrganizations(db));
  const hasKeys = existsSync(buildMasterKeyFilePath(dataDir));
  if (!hasKeys && hasData) throw keyError(dataDir, 'is missing, but the database contains data');
  if (hasKeys && !hasData && !isNewDatabase && hasUsedDatabase(dataDir)) throw lostDatabase(dataDir);
  const keys = MasterKeys.open(dataDir);
  verifyMasterKeys(keys, checks, dataDir);
  if (checks.size === 0) await verifySealedValues(db, keys, dataDir);
  const { currentVersion } = keys;
  if (!checks.has(currentVersion)) {
    const stored = await recordMasterKeyCheckValue(db, currentVersion, keys.checkValue(currentVersion), now);
    verifyMasterKeys(keys, new Map([[currentVersion, stored]]), dataDir);
  }
  recordFolderDatabase(dataDir, database, now);
  return keys;
};
