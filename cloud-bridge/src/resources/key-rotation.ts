import { sql } from 'kysely';
import { digestKeyContext } from './device-links.ts';
import { blindMagicLink, magicLinkContext } from './magic-link-tokens.ts';
import { organizationKeyContext } from './organization-keys.ts';
import { blindPin, pinContext, prefixesOf } from './pin-claims.ts';
import { webhookSecretContext } from './webhooks.ts';
import type { Services } from '../services.ts';
import { system } from '../writing/actor.ts';
import type { WriteContext } from '../writing/writer.ts';
import type { DerivedKeys } from '../secrets/master-key.ts';
import { seal, unseal } from '../secrets/sealing.ts';

const ROWS_AT_ONCE = 200;

const sliced = <T>(rows: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(rows.length / ROWS_AT_ONCE) }, (_, index) =>
    rows.slice(index * ROWS_AT_ONCE, (index + 1) * ROWS_AT_ONCE),
  );

/** Sealed and found anew under the new key. Which PINs hold their digits stays as it is. */
const rotatePins = async (context: WriteContext, keys: DerivedKeys): Promise<number> => {
  const { db, organizationId, masterKeys } = context;
  const pins = await db
    .selectFrom('member_pins')
    .select(['id', 'sealed'])
    .where('organization_id', '=', organizationId)
    .execute();
  const claims = await db
    .selectFrom('pin_claims')
    .select('pin_id')
    .where('organization_id', '=', organizationId)
    .execute();
  const claimed = new Set(claims.map(claim => claim.pin_id));
  await db.deleteFrom('pin_claims').where('organization_id', '=', organizationId).execute();
  await db.deleteFrom('pin_prefixes').where('organization_id', '=', organizationId).execute();
  for (const slice of sliced(pins)) {
    const opened = slice.map(({ id, sealed }) => ({
      id,
      digits: unseal(masterKeys, sealed, pinContext(organizationId, id)),
    }));
    for (const { id, digits } of opened) {
      const sealed = seal(keys, digits, pinContext(organizationId, id));
      await db.updateTable('member_pins').set({ sealed }).where('id', '=', id).execute();
    }
    const holding = opened.filter(({ id }) => claimed.has(id));
    const row = (pinId: string, digits: string) => ({
      organization_id: organizationId,
      blind: blindPin(keys, organizationId, digits),
      pin_id: pinId,
    });
    const taken = holding.map(({ id, digits }) => row(id, digits));
    const prefixes = holding.flatMap(({ id, digits }) => prefixesOf(digits).map(prefix => row(id, prefix)));
    if (taken.length > 0) await db.insertInto('pin_claims').values(taken).execute();
    for (const some of sliced(prefixes)) await db.insertInto('pin_prefixes').values(some).execute();
  }
  return pins.length;
};

const rotateMagicLinks = async (context: WriteContext, keys: DerivedKeys): Promise<number> => {
  const { db, organizationId, masterKeys } = context;
  const links = await db
    .selectFrom('member_magic_links')
    .select(['id', 'sealed'])
    .where('organization_id', '=', organizationId)
    .execute();
  for (const { id, sealed } of links) {
    const token = unseal(masterKeys, sealed, magicLinkContext(organizationId, id));
    await db
      .updateTable('member_magic_links')
      .set({ sealed: seal(keys, token, magicLinkContext(organizationId, id)), blind: blindMagicLink(keys, token) })
      .where('id', '=', id)
      .execute();
  }
  return links.length;
};

const rotateWebhookSecrets = async (context: WriteContext, keys: DerivedKeys): Promise<number> => {
  const { db, organizationId, masterKeys } = context;
  const webhooks = await db
    .selectFrom('webhooks')
    .select(['id', 'sealed_secret'])
    .where('organization_id', '=', organizationId)
    .execute();
  for (const { id, sealed_secret } of webhooks) {
    const secret = unseal(masterKeys, sealed_secret, webhookSecretContext(organizationId, id));
    const sealed = seal(keys, secret, webhookSecretContext(organizationId, id));
    await db.updateTable('webhooks').set({ sealed_secret: sealed }).where('id', '=', id).execute();
  }
  return webhooks.length;
};

const rotateOrganizationKey = async (context: WriteContext, keys: DerivedKeys): Promise<number> => {
  const { db, organizationId, masterKeys } = context;
  const row = await db
    .selectFrom('organization_keys')
    .select('sealed_private_key')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  if (row === undefined) return 0;
  const sealing = organizationKeyContext(organizationId);
  const sealed = seal(keys, unseal(masterKeys, row.sealed_private_key, sealing), sealing);
  await db
    .updateTable('organization_keys')
    .set({ sealed_private_key: sealed })
    .where('organization_id', '=', organizationId)
    .execute();
  return 1;
};

const rotateDigestKeys = async (context: WriteContext, keys: DerivedKeys): Promise<number> => {
  const { db, organizationId, masterKeys } = context;
  const links = await db
    .selectFrom('device_links')
    .select(['device_id', 'sealed_digest_key'])
    .where('organization_id', '=', organizationId)
    .execute();
  for (const { device_id, sealed_digest_key } of links) {
    const sealing = digestKeyContext(organizationId, device_id);
    const sealed = seal(keys, unseal(masterKeys, sealed_digest_key, sealing), sealing);
    await db
      .updateTable('device_links')
      .set({ sealed_digest_key: sealed })
      .where('device_id', '=', device_id)
      .execute();
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
      const pins = await rotatePins(context, keys);
      const links = await rotateMagicLinks(context, keys);
      const webhooks = await rotateWebhookSecrets(context, keys);
      const own = await rotateOrganizationKey(context, keys);
      const digests = await rotateDigestKeys(context, keys);
      await context.db.updateTable('organizations').set({ key_version: version }).where('id', '=', id).execute();
      return pins + links + webhooks + own + digests;
    });
    onProgress(index + 1, organizations.length);
  }
  return { version, organizations: organizations.length, secrets };
};

const sealedColumns = [
  ['member_pins', 'sealed'],
  ['member_magic_links', 'sealed'],
  ['webhooks', 'sealed_secret'],
  ['organization_keys', 'sealed_private_key'],
  ['device_links', 'sealed_digest_key'],
  ['idempotency_keys', 'sealed_body'],
] as const;

/** How much still needs a key: it can be forgotten at 0. Kept answers to retried requests are gone after a day. */
export const sealedUnder = async ({ storage }: Services, version: number): Promise<number> => {
  let count = 0;
  for (const [table, column] of sealedColumns) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}
      where ${sql.ref(column)} like ${`v${version}.%`}`.execute(storage.writer);
    count += rows[0]?.count ?? 0;
  }
  const { rows } = await sql<{ count: number }>`select count(*) as count from organizations
    where key_version = ${version}`.execute(storage.writer);
  return count + (rows[0]?.count ?? 0);
};
