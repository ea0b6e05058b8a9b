import { type Kysely, sql } from 'kysely';
import { KeyMaterialError } from '../secrets/key-material-error.ts';
import type { MasterKeys } from '../secrets/master-keys.ts';
import type { Database } from '../storage/schema.ts';
import { openVerifiedAuthority } from './open-verified-certificate-authority.ts';
import { type MasterKeyOptions, openVerifiedMasterKeys } from './open-verified-master-keys.ts';
import { hasSharedKeyFiles, type SharedKeyFileSync } from './shared-key-files.ts';

/** Arbitrary id of the advisory lock that serializes bridges that start together with an empty database. */
const KEY_LOCK = 7_164_202;

/** Opens the master keys of a bridge that has the only copy. Throws a KeyMaterialError. */
export const openLocalMasterKeys = async (
  db: Kysely<Database>,
  dataDir: string,
  options: MasterKeyOptions,
): Promise<MasterKeys> => {
  if (await hasSharedKeyFiles(db))
    throw new KeyMaterialError(
      'The keys of this database are sealed by a cluster secret. Add --cluster-secret-file with the file of the other bridges.',
    );
  return openVerifiedMasterKeys(db, dataDir, options);
};

/**
 * Opens the master keys of a cluster. Creates them and the certificate authority at the first start, and imports the
 * files of a bridge that ran alone before. Throws a KeyMaterialError.
 */
export const openClusterMasterKeys = (
  db: Kysely<Database>,
  files: SharedKeyFileSync,
  dataDir: string,
  options: MasterKeyOptions,
): Promise<MasterKeys> =>
  db.transaction().execute(async trx => {
    await sql`select pg_advisory_xact_lock(${KEY_LOCK})`.execute(trx);
    await files.pull(trx);
    const masterKeys = await openVerifiedMasterKeys(trx, dataDir, options);
    await openVerifiedAuthority(trx, dataDir, options.now);
    await files.push(trx, options.now);
    return masterKeys;
  });
