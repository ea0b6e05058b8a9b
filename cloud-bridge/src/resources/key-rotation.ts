import { sql } from 'kysely';
import { digestKeyContext } from './device-links.ts';
import { blindMagicLink, magicLinkContext } from './magic-link-tokens.ts';
import { organizationKeyContext } from './organization-keys.ts';
import { blindPin, pinContext, prefixesOf } from './pin-claims.ts';
import { webhookSecretContext } from './webhooks.ts';
import type { Services } from '../services.ts';
import { system } from '../transactions/actor.ts';
import type { WriteContext } from '../transactions/writer.ts';
import type { DerivedKeys } from '../secrets/master-key.ts';
import { seal, unseal } from '../secrets/sealing.ts';

const ROWS_AT_ONCE = 200;

const sliced = <T>(rows: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(rows.length / ROWS_AT_ONCE) }, (_, index) =>
    rows.slice(index * ROWS_AT_ONCE, (index + 1) * ROWS_AT_ONCE),
  );

interface SealedColumn {
  readonly table: 'member_pins' | 'member_magic_links' | 'webhooks' | 'organization_keys' | 'device_links';
  readonly id: string;
  readonly column: string;
  readonly contextOf: (organizationId: string, id: string) => string;
}

const pinColumn: SealedColumn = { table: 'member_pins', id: 'id', column: 'sealed', contextOf: pinContext };
const linkColumn: SealedColumn = {
  table: 'member_magic_links',
  id: 'id',
  column: 'sealed',
  contextOf: magicLinkContext,
};
const otherColumns: readonly SealedColumn[] = [
  { table: 'webhooks', id: 'id', column: 'sealed_secret', contextOf: webhookSecretContext },
  {
    table: 'organization_keys',
    id: 'organization_id',
    column: 'sealed_private_key',
    contextOf: organizationKeyContext,
  },
  { table: 'device_links', id: 'device_id', column: 'sealed_digest_key', contextOf: digestKeyContext },
];

interface Unsealed {
  readonly id: string;
  readonly secret: string;
}

const reseal = async (
  { db, organizationId, masterKeys }: WriteContext,
  keys: DerivedKeys,
  { table, id, column, contextOf }: SealedColumn,
): Promise<Unsealed[]> => {
  const { rows } = await sql<{ id: string; sealed: string }>`
    select ${sql.ref(id)} as id, ${sql.ref(column)} as sealed from ${sql.table(table)}
    where organization_id = ${organizationId}`.execute(db);
  const unsealed: Unsealed[] = [];
  for (const row of rows) {
    const context = contextOf(organizationId, row.id);
    const secret = unseal(masterKeys, row.sealed, context);
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${seal(keys, secret, context)}
      where ${sql.ref(id)} = ${row.id}`.execute(db);
    unsealed.push({ id: row.id, secret });
  }
  return unsealed;
};

/** Which PINs hold their digits stays as it is. */
const rotatePins = async (context: WriteContext, keys: DerivedKeys): Promise<number> => {
  const { db, organizationId } = context;
  const pins = await reseal(context, keys, pinColumn);
  const claims = await db
    .selectFrom('pin_claims')
    .select('pin_id')
    .where('organization_id', '=', organizationId)
    .execute();
  const claimed = new Set(claims.map(claim => claim.pin_id));
  const row = (pin_id: string, digits: string) => ({
    organization_id: organizationId,
    blind: blindPin(keys, organizationId, digits),
    pin_id,
  });
  await db.deleteFrom('pin_claims').where('organization_id', '=', organizationId).execute();
  await db.deleteFrom('pin_prefixes').where('organization_id', '=', organizationId).execute();
  for (const holding of sliced(pins.filter(({ id }) => claimed.has(id)))) {
    const taken = holding.map(({ id, secret }) => row(id, secret));
    const prefixes = holding.flatMap(({ id, secret }) => prefixesOf(secret).map(prefix => row(id, prefix)));
    await db.insertInto('pin_claims').values(taken).execute();
    for (const some of sliced(prefixes)) await db.insertInto('pin_prefixes').values(some).execute();
  }
  return pins.length;
};

const rotateMagicLinks = async (context: WriteContext, keys: DerivedKeys): Promise<number> => {
  const links = await reseal(context, keys, linkColumn);
  for (const { id, secret } of links) {
    const blind = blindMagicLink(keys, secret);
    await context.db.updateTable('member_magic_links').set({ blind }).where('id', '=', id).execute();
  }
  return links.length;
};

export interface Rotation {
  readonly version: number;
  readonly organizations: number;
  readonly secrets: number;
}

/**
 * A new master key, and everything sealed under it, organization by organization, each in one transaction. A running
 * bridge sees the new version in the organization's row with its next write.
 */
export const rotateMasterKey = async (
  { storage, writer, masterKeys }: Services,
  onProgress: (done: number, of: number) => void = () => undefined,
): Promise<Rotation> => {
  const version = masterKeys.addVersion();
  const keys = masterKeys.keys(version);
  const organizations = await storage.reader.selectFrom('organizations').select('id').orderBy('id').execute();
  let secrets = 0;
  for (const [index, { id }] of organizations.entries()) {
    secrets += await writer.write(id, system, async context => {
      let count = (await rotatePins(context, keys)) + (await rotateMagicLinks(context, keys));
      for (const column of otherColumns) count += (await reseal(context, keys, column)).length;
      await context.db.updateTable('organizations').set({ key_version: version }).where('id', '=', id).execute();
      return count;
    });
    onProgress(index + 1, organizations.length);
  }
  return { version, organizations: organizations.length, secrets };
};

/** How much still needs a key: it can be forgotten at 0. Kept answers to retried requests are gone after a day. */
export const sealedUnder = async ({ storage }: Services, version: number): Promise<number> => {
  let count = 0;
  const sealed = [pinColumn, linkColumn, ...otherColumns, { table: 'idempotency_keys', column: 'sealed_body' }];
  for (const { table, column } of sealed) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}
      where ${sql.ref(column)} like ${`v${version}.%`}`.execute(storage.writer);
    count += rows[0]?.count ?? 0;
  }
  const { rows } = await sql<{ count: number }>`select count(*) as count from organizations
    where key_version = ${version}`.execute(storage.writer);
  return count + (rows[0]?.count ?? 0);
};
