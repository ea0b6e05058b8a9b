import { sql } from 'kysely';
import { computeMagicLinkBlindIndex } from './magic-link-sealing-and-blind-index.ts';
import { insertPinReservations } from './pin-reservations.ts';
import {
  sealedMagicLinkColumn,
  sealedColumnsWithoutBlindIndex,
  sealedPinColumn,
  type SealedColumn,
  sealedColumns,
} from './sealed-columns.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { systemActor } from '../transactions/actor.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import type { DerivedKeys } from '../secrets/master-keys.ts';
import { recordMasterKeyCheckValue } from '../secrets/key-check-values.ts';
import { sealSecret, unsealSecretIfReadable } from '../secrets/sealing.ts';

interface UnsealedSecret {
  readonly id: string;
  readonly secret: string;
}

/** Skips damaged values. */
const reseal = async (
  { db, organizationId, masterKeys }: WriteContext,
  keys: DerivedKeys,
  { table, id, column, contextOf }: SealedColumn,
): Promise<UnsealedSecret[]> => {
  const { rows } = await sql<{ id: string; sealed: string }>`
    select ${sql.ref(id)} as id, ${sql.ref(column)} as sealed from ${sql.table(table)}
    where organization_id = ${organizationId}`.execute(db);
  const unsealed: UnsealedSecret[] = [];
  for (const row of rows) {
    const context = contextOf(organizationId, row.id);
    const secret = unsealSecretIfReadable(masterKeys, row.sealed, context);
    if (secret === null) continue;
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sealSecret(keys, secret, context)}
      where ${sql.ref(id)} = ${row.id}`.execute(db);
    unsealed.push({ id: row.id, secret });
  }
  return unsealed;
};

/** Reseals PINs and rebuilds the reservations of the PINs that have one. */
const rotatePins = async (context: WriteContext, keys: DerivedKeys): Promise<number> => {
  const { db, organizationId } = context;
  const pins = await reseal(context, keys, sealedPinColumn);
  const reserved = await db
    .selectFrom('pin_claims')
    .select('pin_id')
    .where('organization_id', '=', organizationId)
    .execute();
  const reservedIds = new Set(reserved.map(row => row.pin_id));
  await db.deleteFrom('pin_claims').where('organization_id', '=', organizationId).execute();
  await db.deleteFrom('pin_prefixes').where('organization_id', '=', organizationId).execute();
  const reservations = pins.filter(({ id }) => reservedIds.has(id)).map(({ id, secret }) => ({ id, digits: secret }));
  await insertPinReservations(db, keys, organizationId, reservations);
  return pins.length;
};

const rotateMagicLinks = async (context: WriteContext, keys: DerivedKeys): Promise<number> => {
  const links = await reseal(context, keys, sealedMagicLinkColumn);
  for (const { id, secret } of links) {
    const blind = computeMagicLinkBlindIndex(keys, secret);
    await context.db.updateTable('member_magic_links').set({ blind }).where('id', '=', id).execute();
  }
  return links.length;
};

export interface MasterKeyRotationResult {
  readonly version: number;
  readonly organizations: number;
  readonly secrets: number;
}

/**
 * Adds a master key and reseals all secrets under it, one transaction per organization. A running bridge reads the new
 * version from the organization's row with its next write.
 */
export const rotateMasterKey = async (
  { storage, writer, masterKeys, clock, publishKeys }: BridgeServices,
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<MasterKeyRotationResult> => {
  const version = masterKeys.addVersion();
  await recordMasterKeyCheckValue(storage.writer, version, masterKeys.checkValue(version), clock());
  await publishKeys();
  const keys = masterKeys.derivedKeys(version);
  const organizations = await storage.reader.selectFrom('organizations').select('id').orderBy('id').execute();
  let secrets = 0;
  for (const [index, { id }] of organizations.entries()) {
    secrets += await writer.write(id, systemActor, async context => {
      let count = (await rotatePins(context, keys)) + (await rotateMagicLinks(context, keys));
      for (const column of sealedColumnsWithoutBlindIndex) count += (await reseal(context, keys, column)).length;
      await context.db.updateTable('organizations').set({ key_version: version }).where('id', '=', id).execute();
      return count;
    });
    onProgress(index + 1, organizations.length);
  }
  return { version, organizations: organizations.length, secrets };
};

/**
 * Number of values that need this key. At 0 the key can be removed. Stored idempotent responses expire after a day. The
 * hash of a client secret changes to the current key when the application authenticates the next time.
 */
export const countSecretsUnderKey = async ({ storage }: BridgeServices, version: number): Promise<number> => {
  let count = 0;
  const sealed = [
    ...sealedColumns,
    { table: 'idempotency_keys', column: 'sealed_body' },
    { table: 'oauth_applications', column: 'client_secret_hash' },
  ];
  for (const { table, column } of sealed) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}
      where ${sql.ref(column)} like ${`v${version}.%`}`.execute(storage.writer);
    count += rows[0]?.count ?? 0;
  }
  const { rows } = await sql<{ count: number }>`select count(*) as count from organizations
    where key_version = ${version}`.execute(storage.writer);
  return count + (rows[0]?.count ?? 0);
};
