import type { MetadataPatch } from '@lintel/wire-protocol/rest/metadata-and-tags';
import type { EventReason } from '@lintel/wire-protocol/rest/event-reasons';
import { createInvalidFieldError, createNotFoundError } from '../http/api-error.ts';
import type { Database } from '../storage/schema.ts';
import type { NewEvent } from '../transactions/pending-event.ts';
import { compareRows, type RecordedChanges } from '../transactions/recorded-changes.ts';
import { findRow, mergeStoredMetadata, requireRow, updateRow } from '../transactions/row-operations.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';

/** Tables of everything that belongs to a member: credentials and group associations. */
const tables = {
  member_email: 'member_emails',
  member_magic_link: 'member_magic_links',
  member_pin: 'member_pins',
  member_card: 'member_cards',
  member_token: 'member_tokens',
  member_group_association: 'member_group_associations',
} as const;

export type MemberCredentialKind = keyof typeof tables;
type CredentialRow<K extends MemberCredentialKind> = Database[(typeof tables)[K]];

/** Ids from the path of a credential; `parentId` is the member. */
export interface MemberCredentialRef {
  readonly parentId: string;
  readonly id: string;
}

/** Associations name their group, member cards their card. */
interface LoggedCredential {
  readonly id: string;
  readonly member_id: string;
  readonly member_group_id?: string;
  readonly card_id?: string;
}

/** Why a secret was read, and where it was sent. */
export interface CredentialEventDetails {
  readonly reason?: EventReason;
  readonly member_email_id?: string;
  readonly changes?: RecordedChanges;
}

export const recordCredentialEvent = (
  context: WriteContext,
  verb: NewEvent['verb'],
  kind: MemberCredentialKind,
  { id, member_id, member_group_id, card_id }: LoggedCredential,
  { reason, member_email_id, changes = {} }: CredentialEventDetails = {},
): void => {
  const references = {
    ...(member_group_id === undefined ? {} : { member_group_id }),
    ...(card_id === undefined ? {} : { card_id }),
    ...(member_email_id === undefined ? {} : { member_email_id }),
  };
  const object = { type: kind, member_id, [`${kind}_id`]: id, ...references };
  const changed = Object.keys(changes).length === 0 ? {} : { changes };
  context.log({ verb, object, ...changed, ...(reason === undefined ? {} : { reason }) });
  if (verb === 'create' || verb === 'reveal') context.markGiven(member_id);
  if (verb !== 'reveal') context.markChanged('member', member_id);
};

/** Columns shared by all kinds. Throws 400 for a deleted member. */
export const createCredentialColumns = async <K extends MemberCredentialKind>(
  context: WriteContext,
  kind: K,
  memberId: string,
  metadata: Readonly<Record<string, string>>,
) => {
  const member = await requireRow(context, 'members', 'member', memberId);
  if (member.is_deleted === 1)
    throw createInvalidFieldError('member_id', `refers to the member ${memberId}, which is deleted`, { id: memberId });
  return {
    id: context.newId(kind),
    organization_id: context.organizationId,
    is_deleted: 0 as const,
    created_at: context.now,
    metadata: JSON.stringify(metadata),
    member_id: memberId,
  };
};

const requireCredential = async <K extends MemberCredentialKind>(
  context: WriteContext,
  kind: K,
  { parentId, id }: MemberCredentialRef,
): Promise<CredentialRow<K>> => {
  const row = await findRow(context, tables[kind], id);
  if (row === undefined || row.member_id !== parentId) throw createNotFoundError(kind, id);
  return row;
};

/** Throws 404 when the credential is missing or deleted. */
export const requireActiveMemberCredential = async <K extends MemberCredentialKind>(
  context: WriteContext,
  kind: K,
  ref: MemberCredentialRef,
): Promise<CredentialRow<K>> => {
  const row = await requireCredential(context, kind, ref);
  if (row.is_deleted === 1) throw createNotFoundError(kind, ref.id);
  return row;
};

/** `columns` are changes besides the metadata. */
export const editMemberCredential = async <K extends MemberCredentialKind>(
  context: WriteContext,
  kind: K,
  ref: MemberCredentialRef,
  { metadata }: { readonly metadata?: MetadataPatch | undefined },
  columns: Partial<CredentialRow<K>> = {},
): Promise<CredentialRow<K>> => {
  const row = await requireActiveMemberCredential(context, kind, ref);
  const changes: Partial<CredentialRow<K>> = {
    ...columns,
    ...(metadata === undefined ? {} : { metadata: mergeStoredMetadata(row.metadata, metadata) }),
  };
  const edited = await updateRow(context, tables[kind], row, changes);
  if (edited !== row) recordCredentialEvent(context, 'edit', kind, row, { changes: compareRows(kind, row, edited) });
  return edited;
};

/** Phones that were enrolled with this magic link or email. */
const deleteDerivedTokens = async (context: WriteContext, { parentId, id }: MemberCredentialRef): Promise<void> => {
  const tokens = await context.db
    .selectFrom('member_tokens')
    .select('id')
    .where('enrolled_with', '=', id)
    .where('is_deleted', '=', 0)
    .execute();
  for (const token of tokens) await deleteMemberCredential(context, 'member_token', { parentId, id: token.id });
};

/** Also deletes what was enrolled with the credential. Does nothing when the credential is already deleted. */
export const deleteMemberCredential = async <K extends MemberCredentialKind>(
  context: WriteContext,
  kind: K,
  ref: MemberCredentialRef,
): Promise<CredentialRow<K>> => {
  const row = await requireCredential(context, kind, ref);
  if (row.is_deleted === 1) return row;
  const deleted = await updateRow(context, tables[kind], row, { is_deleted: 1 } as Partial<CredentialRow<K>>);
  recordCredentialEvent(context, 'delete', kind, row);
  if (kind === 'member_group_association') context.markWithdrawn(row.member_id, 'group');
  if (kind === 'member_magic_link' || kind === 'member_email') await deleteDerivedTokens(context, ref);
  return deleted;
};
