import type { Kysely } from 'kysely';
import type { Database } from '../storage/schema.ts';

type Db = Kysely<Database>;

const MASTER_KEY = 'master-key/';
const AUTHORITY = 'certificate-authority';

/** Inserts the value unless there is one, and returns the stored value: another bridge may have been first. */
const recordOnce = async (db: Db, name: string, value: string, now: number): Promise<string> => {
  const known = await db.selectFrom('key_checks').select('value').where('name', '=', name).executeTakeFirst();
  // Writes only once, so that a bridge starts while its disk is full.
  if (known !== undefined) return known.value;
  const row = { name, value, created_at: now };
  await db
    .insertInto('key_checks')
    .values(row)
    .onConflict(oc => oc.doNothing())
    .execute();
  const stored = await db.selectFrom('key_checks').select('value').where('name', '=', name).executeTakeFirstOrThrow();
  return stored.value;
};

/** The check values of the master keys that the database needs, by version. */
export const readMasterKeyCheckValues = async (db: Db): Promise<Map<number, string>> => {
  const rows = await db
    .selectFrom('key_checks')
    .select(['name', 'value'])
    .where('name', 'like', `${MASTER_KEY}%`)
    .execute();
  return new Map(rows.map(({ name, value }) => [Number(name.slice(MASTER_KEY.length)), value]));
};

export const recordMasterKeyCheckValue = (db: Db, version: number, value: string, now: number): Promise<string> =>
  recordOnce(db, `${MASTER_KEY}${version}`, value, now);

export const deleteMasterKeyCheckValue = async (db: Db, version: number): Promise<void> => {
  await db.deleteFrom('key_checks').where('name', '=', `${MASTER_KEY}${version}`).execute();
};

/** The fingerprint of the certificate authority of this database; null before its first use. */
export const readAuthorityCheckValue = async (db: Db): Promise<string | null> => {
  const row = await db.selectFrom('key_checks').select('value').where('name', '=', AUTHORITY).executeTakeFirst();
  return row?.value ?? null;
};

export const recordAuthorityCheckValue = (db: Db, fingerprint: string, now: number): Promise<string> =>
  recordOnce(db, AUTHORITY, fingerprint, now);

export const deleteAuthorityCheckValue = async (db: Db): Promise<void> => {
  await db.deleteFrom('key_checks').where('name', '=', AUTHORITY).execute();
};
