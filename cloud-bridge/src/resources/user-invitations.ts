import type { CreateOrganizationUserRequest } from '@lintel/wire-protocol/admin/organization-user';
import type { Role } from '@lintel/wire-protocol/admin/role';
import { parseEmail } from '../accounts/users.ts';
import { createInvalidFieldError, checkAll } from '../http/api-error.ts';
import { hashToken, createSecretToken } from '../secrets/create-and-hash-token.ts';
import type { OrganizationUserRow } from '../storage/user-schema.ts';
import { compareRows } from '../transactions/recorded-changes.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import {
  requireValidSitesForRole,
  recordOrganizationUserEvent,
  type OrganizationUser,
  selectOrganizationUsers,
  removeOrganizationUser,
  requireOwnerToChangeOwners,
  requireOrganizationUser,
} from './organization-users.ts';

const LIFETIME_MS = 7 * 86_400_000;

const TOKEN_PREFIX = 'liv_';

/** An invited user with the token for the link, which is not stored. */
export interface IssuedUserInvitation {
  readonly user: OrganizationUser;
  readonly organizationName: string;
  readonly token: string;
}

export const buildInvitationUrl = (publicUrl: string, token: string): string => `${publicUrl}/invitation/${token}`;

/** Replaces an earlier link of the same person. */
const issueInvitation = async (
  { db, organizationId, now }: WriteContext,
  user: Omit<OrganizationUser, 'invitation_expires_at'>,
): Promise<IssuedUserInvitation> => {
  const token = createSecretToken(TOKEN_PREFIX);
  const { name: organizationName } = await db
    .selectFrom('organizations')
    .select('name')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();
  const link = { token_hash: hashToken(token), created_at: now, expires_at: now + LIFETIME_MS };
  await db
    .insertInto('user_invitations')
    .values({ organization_id: organizationId, user_id: user.user_id, email: user.email, name: user.name, ...link })
    .onConflict(conflict => conflict.columns(['organization_id', 'user_id']).doUpdateSet(link))
    .execute();
  return { user: { ...user, invitation_expires_at: link.expires_at }, organizationName, token };
};

/**
 * Invites a person, who has no access before accepting. Does the same for every address, with a new user id, so that the
 * inviter does not learn whether the address has an account.
 */
export const inviteOrganizationUser = async (
  context: WriteContext,
  actingRole: Role,
  body: Omit<CreateOrganizationUserRequest, 'password'>,
): Promise<IssuedUserInvitation> => {
  const { db, organizationId, newId } = context;
  requireOwnerToChangeOwners(actingRole, body.role);
  const [email] = await checkAll([
    () => parseEmail(body.email),
    () => requireValidSitesForRole(context, body.role, body.site_ids),
  ]);
  const existing = await selectOrganizationUsers(db, organizationId)
    .where(({ eb, fn }) => eb(fn.coalesce('users.email', 'user_invitations.email'), '=', email))
    .executeTakeFirst();
  if (existing !== undefined) {
    const message =
      existing.verified_at === null
        ? 'belongs to a person who is already invited. Send the invitation again or revoke it'
        : 'belongs to a user of the organization already';
    throw createInvalidFieldError('email', message, { id: existing.user_id });
  }
  const row: OrganizationUserRow = {
    organization_id: organizationId,
    user_id: newId('user'),
    role: body.role,
    site_ids: JSON.stringify(body.site_ids),
  };
  await db.insertInto('organization_users').values(row).execute();
  const changes = compareRows('user', null, { ...row, email });
  recordOrganizationUserEvent(context, 'create', row.user_id, undefined, changes);
  return issueInvitation(context, { ...row, email, name: body.name ?? '', verified_at: null });
};

const requireInvitedUser = async (
  context: WriteContext,
  actingRole: Role,
  userId: string,
): Promise<OrganizationUser> => {
  const user = await requireOrganizationUser(context, userId);
  // A new link is as good as the role that it gives.
  requireOwnerToChangeOwners(actingRole, user.role);
  if (user.verified_at !== null)
    throw createInvalidFieldError('user_id', 'must be the id of a user with an open invitation. This user is active');
  return user;
};

/** Issues a new link. The earlier one becomes invalid. */
export const renewInvitation = async (
  context: WriteContext,
  actingRole: Role,
  userId: string,
): Promise<IssuedUserInvitation> => issueInvitation(context, await requireInvitedUser(context, actingRole, userId));

/** Removes the invited person from the organization. */
export const revokeInvitation = async (
  context: WriteContext,
  actingRole: Role,
  userId: string,
): Promise<OrganizationUser> => {
  await requireInvitedUser(context, actingRole, userId);
  return removeOrganizationUser(context, actingRole, userId);
};
