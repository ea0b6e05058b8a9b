import type { Kysely } from 'kysely';
import { findUserByEmail } from '../accounts/users.ts';
import { hashToken } from '../secrets/create-and-hash-token.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import type { Database } from '../storage/schema.ts';
import type { UserInvitationRow } from '../storage/user-schema.ts';
import type { Actor } from '../transactions/actor.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { recordOrganizationUserEvent } from './organization-users.ts';

export interface UnacceptedInvitation {
  readonly organizationId: string;
  readonly organizationName: string;
  readonly email: string;
  /** The verified account of the address, which has to be signed in to accept; null if a password has to be chosen. */
  readonly accountId: string | null;
}

const findOpenRow = (db: Kysely<Database>, token: string, now: number) =>
  db
    .selectFrom('user_invitations')
    .innerJoin('organizations', 'organizations.id', 'user_invitations.organization_id')
    .selectAll('user_invitations')
    .select('organizations.name as organization_name')
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', now)
    .where('organizations.is_deleted', '=', 0)
    .executeTakeFirst();

/** Null if the link is unknown, expired, revoked or used. */
export const findUnacceptedInvitation = async (
  db: Kysely<Database>,
  token: string,
  now: number,
): Promise<UnacceptedInvitation | null> => {
  const row = await findOpenRow(db, token, now);
  if (row === undefined) return null;
  const { organization_id: organizationId, organization_name: organizationName, email } = row;
  const account = await findUserByEmail(db, email);
  return { organizationId, organizationName, email, accountId: account?.verified_at == null ? null : account.id };
};

/** The accepting person is signed in, or chooses a password for an address without a verified account. */
export type InvitationAcceptor =
  | { readonly kind: 'session'; readonly userId: string }
  | { readonly kind: 'password'; readonly passwordHash: string };

/** The user id of the acceptor; null if the state of the account requires another kind of acceptor. */
const resolveAcceptor = async (
  { db, now }: WriteContext,
  { user_id, email, name }: UserInvitationRow,
  acceptor: InvitationAcceptor,
): Promise<string | null> => {
  const account = await findUserByEmail(db, email);
  if (account !== undefined && account.verified_at !== null) {
    return acceptor.kind === 'session' && acceptor.userId === account.id ? account.id : null;
  }
  if (acceptor.kind === 'session') return null;
  const password_hash = acceptor.passwordHash;
  if (account !== undefined) {
    // The earlier password may come from an inviter, who did not prove the address.
    await db.updateTable('users').set({ password_hash, verified_at: now }).where('id', '=', account.id).execute();
    await db.deleteFrom('sessions').where('user_id', '=', account.id).execute();
    return account.id;
  }
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('users')
    .values({ id: user_id, email, name, password_hash, is_deleted: 0, created_at: now, verified_at: now })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n ? user_id : null;
};

/** Replaces the reserved user id with the id of the account, which may already belong to the organization. */
const moveToAccount = async (
  { db, organizationId }: WriteContext,
  reservedId: string,
  accountId: string,
): Promise<void> => {
  const existing = await db
    .selectFrom('organization_users')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', accountId)
    .executeTakeFirst();
  if (existing === undefined) {
    await db
      .updateTable('organization_users')
      .set({ user_id: accountId })
      .where('organization_id', '=', organizationId)
      .where('user_id', '=', reservedId)
      .execute();
    return;
  }
  await db
    .deleteFrom('organization_users')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', reservedId)
    .execute();
};

/** Adds the acceptor to the organization. Returns the user id; null if the link is not valid for the acceptor. */
export const acceptInvitation = (
  { writer }: BridgeServices,
  { organizationId }: UnacceptedInvitation,
  token: string,
  acceptor: InvitationAcceptor,
  client: Pick<Actor, 'ip_address' | 'client'>,
): Promise<string | null> =>
  writer.write(organizationId, client, async context => {
    const { db, now } = context;
    const invitation = await findOpenRow(db, token, now);
    if (invitation === undefined) return null;
    const userId = await resolveAcceptor(context, invitation, acceptor);
    if (userId === null) return null;
    await db.deleteFrom('user_invitations').where('token_hash', '=', invitation.token_hash).execute();
    const by: Actor = { ...client, user_id: userId };
    if (userId === invitation.user_id) recordOrganizationUserEvent(context, 'edit', userId, by);
    else {
      await moveToAccount(context, invitation.user_id, userId);
      recordOrganizationUserEvent(context, 'delete', invitation.user_id, by);
      recordOrganizationUserEvent(context, 'create', userId, by);
    }
    return userId;
  });
