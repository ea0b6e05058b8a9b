import type { Kysely } from 'kysely';
import { normalizeEmail } from '../accounts/users.ts';
import { createSecretToken, hashToken } from '../secrets/create-and-hash-token.ts';
import type { Database } from '../storage/schema.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { selectOrganizationUsers } from './organization-users.ts';

const LIFETIME_MS = 7 * 86_400_000;
/** A rule that is saved again sends no further mail before. */
const RESEND_MS = 3_600_000;
const TOKEN_PREFIX = 'lal_';

export const buildAlertAddressUrl = (publicUrl: string, token: string): string => `${publicUrl}/alert-address/${token}`;

/** The addresses of verified users of the organization, and those confirmed by a link. */
const findConfirmed = async (db: Kysely<Database>, organizationId: string): Promise<ReadonlySet<string>> => {
  const users = await selectOrganizationUsers(db, organizationId).where('users.verified_at', 'is not', null).execute();
  const addresses = await db
    .selectFrom('alert_addresses')
    .select('email')
    .where('organization_id', '=', organizationId)
    .where('confirmed_at', 'is not', null)
    .execute();
  return new Set([...users, ...addresses].map(({ email }) => email));
};

/** Splits the addresses of a rule by whether messages may be sent to them. */
export const splitByConfirmation = async (
  db: Kysely<Database>,
  organizationId: string,
  emails: readonly string[],
): Promise<{ readonly confirmed: readonly string[]; readonly unconfirmed: readonly string[] }> => {
  if (emails.length === 0) return { confirmed: [], unconfirmed: [] };
  const known = await findConfirmed(db, organizationId);
  const groups = Object.groupBy(emails, email => (known.has(normalizeEmail(email)) ? 'confirmed' : 'unconfirmed'));
  return { confirmed: groups.confirmed ?? [], unconfirmed: groups.unconfirmed ?? [] };
};

/** The unconfirmed addresses that have got no link within the last hour. */
export const findAddressesToAsk = async (
  db: Kysely<Database>,
  organizationId: string,
  emails: readonly string[],
  now: number,
): Promise<readonly string[]> => {
  const { unconfirmed } = await splitByConfirmation(db, organizationId, emails);
  const asked = await db
    .selectFrom('alert_addresses')
    .select('email')
    .where('organization_id', '=', organizationId)
    .where('sent_at', '>', now - RESEND_MS)
    .execute();
  const recent = new Set(asked.map(({ email }) => email));
  return [...new Set(unconfirmed.map(normalizeEmail))].filter(email => !recent.has(email));
};

export interface AlertAddressLink {
  readonly email: string;
  readonly token: string;
}

/** Creates a link for each address. Earlier links become invalid. */
export const createAlertAddressLinks = async (
  { db, organizationId, now }: WriteContext,
  emails: readonly string[],
): Promise<readonly AlertAddressLink[]> => {
  await db
    .deleteFrom('alert_addresses')
    .where('organization_id', '=', organizationId)
    .where('confirmed_at', 'is', null)
    .where('expires_at', '<=', now)
    .execute();
  const links = emails.map(email => ({ email, token: createSecretToken(TOKEN_PREFIX) }));
  for (const { email, token } of links) {
    const link = { token_hash: hashToken(token), sent_at: now, expires_at: now + LIFETIME_MS, confirmed_at: null };
    await db
      .insertInto('alert_addresses')
      .values({ organization_id: organizationId, email, ...link })
      .onConflict(conflict => conflict.columns(['organization_id', 'email']).doUpdateSet(link))
      .execute();
  }
  return links;
};

export interface UnconfirmedAlertAddress {
  readonly email: string;
  readonly organizationName: string;
}

/** The address of a link that is still valid. */
export const findUnconfirmedAlertAddress = async (
  db: Kysely<Database>,
  token: string,
  now: number,
): Promise<UnconfirmedAlertAddress | null> => {
  const row = await db
    .selectFrom('alert_addresses')
    .innerJoin('organizations', 'organizations.id', 'alert_addresses.organization_id')
    .select(['alert_addresses.email', 'organizations.name as organizationName'])
    .where('alert_addresses.token_hash', '=', hashToken(token))
    .where('alert_addresses.expires_at', '>', now)
    .where('organizations.is_deleted', '=', 0)
    .executeTakeFirst();
  return row ?? null;
};

export const confirmAlertAddress = async (db: Kysely<Database>, token: string, now: number): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('alert_addresses')
    .set({ confirmed_at: now, token_hash: '' })
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};
