import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from './schema.ts';

const NAME = 'space-probe';
const PROBE_BYTES = 48 * 1024;

/** Writes and deletes a row, to find out whether the disk has space again. */
export const writeSpaceProbe = async (db: Kysely<Database>): Promise<void> => {
  const row = { name: NAME, value: randomBytes(PROBE_BYTES).toString('base64'), created_at: 0 };
  const { value } = row;
  await db
    .insertInto('key_checks')
    .values(row)
    .onConflict(oc => oc.column('name').doUpdateSet({ value }))
    .execute();
  await db.deleteFrom('key_checks').where('name', '=', NAME).execute();
};
