import { createSecretKey, hkdfSync } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from '@lintel/service/data-folder/private-file';
import type { Kysely } from 'kysely';
import { KeyMaterialError } from '../secrets/key-material-error.ts';
import { MASTER_KEY_FILE_NAME } from '../secrets/master-keys.ts';
import { type SealingKeys, sealSecret, unsealSecretWithKeys } from '../secrets/sealing.ts';
import type { Database } from '../storage/schema.ts';
import { AUTHORITY_CERTIFICATE_FILE, AUTHORITY_KEY_FILE } from '../tls/certificate-authority.ts';

type Db = Kysely<Database>;

const names = [MASTER_KEY_FILE_NAME, AUTHORITY_KEY_FILE, AUTHORITY_CERTIFICATE_FILE];

const sealingContext = (name: string): string => `shared key file ${name}`;

const sealingKeysOf = (secret: string): SealingKeys => ({
  version: 1,
  sealing: createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'lintel/cluster-secret', 32))),
});

interface KeysByVersion {
  readonly keys?: Readonly<Record<string, string>>;
}

/** After a rotation, an older copy of the master keys has a key in common with the current one. Other files never change. */
const isOlderCopy = (name: string, local: string, shared: string): boolean => {
  if (name !== MASTER_KEY_FILE_NAME) return false;
  try {
    const [old, current] = [local, shared].map(text => (JSON.parse(text) as KeysByVersion).keys ?? {});
    return Object.entries(old!).some(([version, key]) => current![version] === key);
  } catch {
    return false;
  }
};

/** Whether the keys of the database are sealed by a cluster secret. */
export const hasSharedKeyFiles = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('shared_key_files').select('name').limit(1).executeTakeFirst()) !== undefined;

export const deleteSharedKeyFiles = async (db: Db): Promise<void> => {
  await db.deleteFrom('shared_key_files').execute();
};

/**
 * Copies the key files of the data folder to the database and back, sealed by a secret of the operator, so that another
 * bridge needs only the database and the secret.
 */
export class SharedKeyFileSync {
  readonly #dataDir: string;
  readonly #keys: SealingKeys;
  #newest = -1;

  constructor(dataDir: string, secret: string) {
    this.#dataDir = dataDir;
    this.#keys = sealingKeysOf(secret);
  }

  /** Writes files that are new or changed in the database to the data folder. Throws a KeyMaterialError. */
  async pull(db: Db): Promise<void> {
    const { newest } = await db
      .selectFrom('shared_key_files')
      .select(row => row.fn.max('changed_at').as('newest'))
      .executeTakeFirstOrThrow();
    if (newest === null || newest === this.#newest) return;
    const rows = await db.selectFrom('shared_key_files').selectAll().execute();
    for (const { name, sealed } of rows) this.#write(name, this.#unseal(name, sealed));
    this.#newest = newest;
  }

  /** Stores the files of the data folder in the database. */
  async push(db: Db, now: number): Promise<void> {
    const known = new Map(
      (await db.selectFrom('shared_key_files').selectAll().execute()).map(row => [row.name, row] as const),
    );
    for (const name of names) {
      const file = join(this.#dataDir, name);
      if (!existsSync(file)) continue;
      const text = readFileSync(file, 'utf8');
      const stored = known.get(name);
      if (stored !== undefined && this.#unseal(name, stored.sealed) === text) continue;
      // Increases even if the clock went back, because bridges compare it to notice a change.
      const changed_at = Math.max(now, this.#newest + 1, (stored?.changed_at ?? -1) + 1);
      const sealed = sealSecret(this.#keys, text, sealingContext(name));
      await db
        .insertInto('shared_key_files')
        .values({ name, sealed, changed_at })
        .onConflict(conflict => conflict.column('name').doUpdateSet({ sealed, changed_at }))
        .execute();
    }
  }

  #write(name: string, text: string): void {
    const file = join(this.#dataDir, name);
    const local = existsSync(file) ? readFileSync(file, 'utf8') : null;
    if (local === text) return;
    if (local !== null && !isOlderCopy(name, local, text))
      throw new KeyMaterialError(
        `${file} does not belong to this database, which has another ${name}. Use an empty folder for --data, or move the file away.`,
      );
    writePrivateFile(file, text);
  }

  #unseal(name: string, sealed: string): string {
    try {
      return unsealSecretWithKeys(this.#keys, sealed, sealingContext(name));
    } catch {
      throw new KeyMaterialError(
        'The cluster secret is not the one that sealed the keys of this database. Use the secret of the other bridges.',
      );
    }
  }
}
