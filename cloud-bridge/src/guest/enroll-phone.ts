import type { MemberId, MemberTokenId, OrganizationId } from '@lintel/access-core/ids';
import type { PhoneEnrollmentResponse } from '@lintel/wire-protocol/guest/guest-api';
import { sql } from 'kysely';
import { createInvalidFieldError } from '../http/api-error.ts';
import { deriveBluetoothKey } from '../resources/derive-bluetooth-key.ts';
import { requireActiveMemberCredential } from '../resources/member-credentials.ts';
import { storeMemberTokenPublicKey } from '../resources/member-tokens.ts';
import { getOrCreateOrganizationSigningKey } from '../resources/organization-signing-keys.ts';
import type { Storage } from '../storage/open-storage.ts';
import type { MemberTokenRow } from '../storage/schema.ts';
import { updateRow } from '../transactions/row-operations.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import type { AuthenticatedGuestMember } from './guest-sessions.ts';

/** A guest has a few devices; more is a mistake or an attack. */
const MAX_PHONES = 10;

const findTokens = async (
  { db, organizationId }: WriteContext,
  memberId: string,
  publicKey: string,
): Promise<MemberTokenRow[]> => {
  const { rows } = await sql<MemberTokenRow>`select * from member_tokens
    where organization_id = ${organizationId} and is_deleted = 0
    and (member_id = ${memberId} or public_key = ${publicKey})`.execute(db);
  return rows;
};

/** The phone ends with the credential that it was enrolled with last. A token of the API keeps none. */
const enrollAgain = async (
  context: WriteContext,
  existing: MemberTokenRow,
  enrolledWith: string,
): Promise<MemberTokenRow> =>
  existing.enrolled_with === null
    ? existing
    : updateRow(context, 'member_tokens', existing, { enrolled_with: enrolledWith });

const registerKey = async (
  context: WriteContext,
  memberId: string,
  publicKey: string,
  enrolledWith: string,
): Promise<MemberTokenRow> => {
  const tokens = await findTokens(context, memberId, publicKey);
  const existing = tokens.find(({ public_key }) => public_key === publicKey);
  if (existing?.member_id === memberId) return enrollAgain(context, existing, enrolledWith);
  if (existing !== undefined) throw createInvalidFieldError('public_key', 'is already in use by another member');
  if (tokens.length >= MAX_PHONES)
    throw createInvalidFieldError(
      'public_key',
      `is one too many: a member can register ${MAX_PHONES} phones. Delete one first`,
    );
  return storeMemberTokenPublicKey(context, memberId, publicKey, { metadata: {}, enrolledWith });
};

/** The owner of a phone's key among these members; undefined for a key of another member. */
export const findPhoneOwner = async (
  { reader }: Pick<Storage, 'reader'>,
  members: readonly AuthenticatedGuestMember[],
  tokenId: string,
): Promise<AuthenticatedGuestMember | undefined> => {
  const { rows } = await sql<Pick<MemberTokenRow, 'organization_id' | 'member_id'>>`select organization_id, member_id
    from member_tokens where id = ${tokenId}`.execute(reader);
  return members.find(
    ({ member }) => member.id === rows[0]?.member_id && member.organization_id === rows[0].organization_id,
  );
};

/**
 * Registers the public key of a guest's phone as a member token, which ends with the magic link or email of the session.
 * The session may be older than the deletion of its credential. Repeating it has no further effect.
 */
export const enrollGuestPhone = async (
  context: WriteContext,
  memberId: string,
  publicKey: string,
  { member_magic_link_id, member_email_id }: AuthenticatedGuestMember['credential'],
): Promise<PhoneEnrollmentResponse> => {
  if (member_magic_link_id !== undefined)
    await requireActiveMemberCredential(context, 'member_magic_link', { parentId: memberId, id: member_magic_link_id });
  else await requireActiveMemberCredential(context, 'member_email', { parentId: memberId, id: member_email_id ?? '' });
  const enrolledWith = member_magic_link_id ?? member_email_id ?? '';
  const { id } = await registerKey(context, memberId, publicKey, enrolledWith);
  const organizationKey = await getOrCreateOrganizationSigningKey(context);
  return {
    member_id: memberId as MemberId,
    member_token_id: id as MemberTokenId,
    organization_id: context.organizationId as OrganizationId,
    bluetooth_key: deriveBluetoothKey(organizationKey, context.organizationId),
  };
};
