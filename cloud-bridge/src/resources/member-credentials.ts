import type { MetadataPatch } from '@lintel/wire-protocol/rest/metadata';
import { invalid, notFound } from '../http/api-error.ts';
import type { Database } from '../storage/schema.ts';
import type { NewEvent } from '../transactions/new-event.ts';
import { findRow, mergedMetadata, requireRow, updateRow } from '../transactions/rows.ts';
import type { WriteContext } from '../transactions/writer.ts';

/** What hangs on a member: its credentials and its associations with groups, and where each is kept. */
const tables = {
  member_email: 'member_emails',
  member_magic_link: 'member_magic_links',
  member_pin: 'member_pins',
  member_card: 'member_cards',
  member_token: 'member_tokens',
  member_group_association: 'member_group_associations',
} as const;

export type CredentialKind = keyof typeof tables;
type CredentialRow<K extends CredentialKind> = Database[(typeof tables)[K]];

/** Where a credential is: below its member. */
export interface CredentialAddress {
  readonly parentId: string;
  readonly id: string;
}

export const tellOfCredential = (
  context: WriteContext,
  verb: NewEvent['verb'],
  kind: CredentialKind,
  { id, member_id }: { readonly id: string; readonly member_id: string },
): void => {
  context.log({ verb, object: { type: kind, member_id, [`${kind}_id`]: id } });
  if (verb !== 'reveal') context.changed('member', member_id);
};

/** The columns that all kinds share. A deleted member gets nothing new: 400. */
export const newCredential = async <K extends CredentialKind>(
  context: WriteContext,
  kind: K,
  memberId: string,
  metadata: Readonly<Record<string, string>>,
) => {
  const member = await requireRow(context, 'members', 'member', memberId);
  if (member.is_deleted === 1) throw invalid('member_id', `Member ${memberId} is deleted`, { id: memberId });
  return {
    id: context.newId(kind),
    organization_id: context.organizationId,
    is_deleted: 0 as const,
    created_at: context.now,
    metadata: JSON.stringify(metadata),
    member_id: memberId,
  };
};

const requireCredential = async <K extends CredentialKind>(
  context: WriteContext,
  kind: K,
  { parentId, id }: CredentialAddress,
): Promise<CredentialRow<K>> => {
  const row = await findRow(context, tables[kind], id);
  if (row === undefined || row.member_id !== parentId) throw notFound(kind, id);
  return row;
};

/** The credential that is edited or revealed: a deleted one is gone for that. */
export const requireLivingCredential = async <K extends CredentialKind>(
  context: WriteContext,
  kind: K,
  address: CredentialAddress,
): Promise<CredentialRow<K>> => {
  const row = await requireCredential(context, kind, address);
  if (row.is_deleted === 1) throw notFound(kind, address.id);
  return row;
};

export const editCredential = async <K extends CredentialKind>(
  context: WriteContext,
  kind: K,
  address: CredentialAddress,
  { metadata }: { readonly metadata?: MetadataPatch | undefined },
): Promise<CredentialRow<K>> => {
  const row = await requireLivingCredential(context, kind, address);
  if (metadata === undefined) return row;
  const changes = { metadata: mergedMetadata(row.metadata, metadata) } as Partial<CredentialRow<K>>;
  const edited = await updateRow(context, tables[kind], row, changes);
  if (edited !== row) tellOfCredential(context, 'edit', kind, row);
  return edited;
};

/** Deleting twice is deleting once: the second time nothing happens. */
export const deleteCredential = async <K extends CredentialKind>(
  context: WriteContext,
  kind: K,
  address: CredentialAddress,
): Promise<CredentialRow<K>> => {
  const row = await requireCredential(context, kind, address);
  if (row.is_deleted === 1) return row;
  const deleted = await updateRow(context, tables[kind], row, { is_deleted: 1 } as Partial<CredentialRow<K>>);
  tellOfCredential(context, 'delete', kind, row);
  return deleted;
};
