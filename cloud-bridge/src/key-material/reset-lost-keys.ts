import type { Id, IdKind } from '@lintel/access-core/ids';
import type { Instant } from '@lintel/access-core/instant';
import {
  deleteAllPinsAndMagicLinksAfterKeyLoss,
  deleteAllWebhooksAfterKeyLoss,
  invalidateAllClientSecretsAfterKeyLoss,
} from '../resources/delete-secrets-after-key-loss.ts';
import { removeAllAlertWebhooksAfterKeyLoss } from '../resources/alert-rules.ts';
import { unclaimAllDevicesAndDeleteKey } from '../resources/unclaim-all-devices.ts';
import {
  deleteAuthorityCheckValue,
  deleteMasterKeyCheckValue,
  readMasterKeyCheckValues,
  recordMasterKeyCheckValue,
} from '../secrets/key-check-values.ts';
import { KeyMaterialError } from '../secrets/key-material-error.ts';
import { MasterKeys } from '../secrets/master-keys.ts';
import type { Storage } from '../storage/open-storage.ts';
import { renameCertificateAuthorityFiles } from '../tls/certificate-authority.ts';
import { systemActor } from '../transactions/actor.ts';
import { OrganizationWriter } from '../transactions/organization-writer.ts';
import { isAuthorityInUse, openVerifiedAuthority } from './open-verified-certificate-authority.ts';
import { openVerifiedMasterKeys } from './open-verified-master-keys.ts';
import { deleteSharedKeyFiles, type SharedKeyFileSync } from './shared-key-files.ts';

export interface KeyResetDependencies {
  readonly storage: Storage;
  readonly dataDir: string;
  /** `postgres://…`; undefined for SQLite. */
  readonly database: string | undefined;
  /** Null without a cluster secret. */
  readonly sharedKeys: SharedKeyFileSync | null;
  readonly clock: () => Instant;
  readonly newId: <K extends IdKind>(kind: K) => Id<K>;
}

/** What is wrong with the key files; null where they belong to the database. */
export interface KeyFileProblems {
  /** The cluster secret does not open the keys in the database. */
  readonly sharedKeys: string | null;
  readonly masterKeys: string | null;
  readonly authority: string | null;
}

const problemOf = async (opening: Promise<unknown>): Promise<string | null> => {
  try {
    await opening;
    return null;
  } catch (error) {
    if (error instanceof KeyMaterialError) return error.message;
    throw error;
  }
};

export const openKeyFilesAndCollectProblems = async (options: KeyResetDependencies): Promise<KeyFileProblems> => {
  const { storage, dataDir, clock, sharedKeys } = options;
  const db = storage.writer;
  return {
    sharedKeys: sharedKeys === null ? null : await problemOf(sharedKeys.pull(db)),
    masterKeys: await problemOf(
      openVerifiedMasterKeys(db, dataDir, { now: clock(), isNewDatabase: true, database: options.database }),
    ),
    authority: (await isAuthorityInUse(db)) ? await problemOf(openVerifiedAuthority(db, dataDir, clock())) : null,
  };
};

const organizationIds = async ({ writer }: Storage): Promise<string[]> => {
  const rows = await writer.selectFrom('organizations').select('id').orderBy('id').execute();
  return rows.map(({ id }) => id);
};

/** A version that no value in the database can have been sealed under. */
const nextVersion = async ({ writer }: Storage, checks: Iterable<number>): Promise<number> => {
  const rows = await writer.selectFrom('organizations').select('key_version').distinct().execute();
  return Math.max(0, ...checks, ...rows.map(row => row.key_version)) + 1;
};

/**
 * Replaces the key files that do not belong to the database, and deletes what depends on the lost ones. The check value of the new
 * key is written last: after an interruption the program still refuses to start, and the reset can be repeated.
 */
export const resetLostKeys = async (options: KeyResetDependencies, problems: KeyFileProblems): Promise<void> => {
  const { storage, clock, sharedKeys } = options;
  await deleteSharedKeyFiles(storage.writer);
  if (problems.masterKeys !== null || problems.authority !== null) await replaceKeys(options, problems);
  await sharedKeys?.push(storage.writer, clock());
};

const replaceKeys = async (options: KeyResetDependencies, problems: KeyFileProblems): Promise<void> => {
  const { storage, dataDir, clock, newId } = options;
  const db = storage.writer;
  const suffix = `replaced-${clock()}`;
  const checks = await readMasterKeyCheckValues(db);
  const masterKeys =
    problems.masterKeys === null
      ? MasterKeys.open(dataDir)
      : MasterKeys.startOver(dataDir, await nextVersion(storage, checks.keys()), suffix);
  if (problems.authority !== null) renameCertificateAuthorityFiles(dataDir, suffix);
  if (problems.masterKeys !== null) {
    await db.updateTable('organizations').set({ key_version: masterKeys.currentVersion }).execute();
    await db.deleteFrom('idempotency_keys').execute();
  }
  const writer = new OrganizationWriter({ storage, masterKeys, clock, deletionTime: clock, newId });
  for (const id of await organizationIds(storage)) {
    await writer.write(id, systemActor, async context => {
      await unclaimAllDevicesAndDeleteKey(context);
      if (problems.masterKeys === null) return;
      await deleteAllPinsAndMagicLinksAfterKeyLoss(context);
      await deleteAllWebhooksAfterKeyLoss(context);
      await removeAllAlertWebhooksAfterKeyLoss(context);
      await invalidateAllClientSecretsAfterKeyLoss(context);
    });
  }
  if (problems.authority !== null) await deleteAuthorityCheckValue(db);
  if (problems.masterKeys === null) return;
  for (const version of checks.keys()) await deleteMasterKeyCheckValue(db, version);
  const { currentVersion } = masterKeys;
  await recordMasterKeyCheckValue(db, currentVersion, masterKeys.checkValue(currentVersion), clock());
};
