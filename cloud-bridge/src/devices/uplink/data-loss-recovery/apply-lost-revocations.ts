import type { RevocationMqttMessage } from '@lintel/wire-protocol/mqtt/messages/revocation';
import { deleteMemberCredential, type MemberCredentialKind } from '../../../resources/member-credentials.ts';
import { deleteMemberPin } from '../../../resources/member-pins.ts';
import { deleteMember } from '../../../resources/members.ts';
import { findRow } from '../../../transactions/row-operations.ts';
import type { WriteContext } from '../../../transactions/organization-writer.ts';

type CredentialKind = Exclude<MemberCredentialKind, 'member_email'>;

const tables = {
  member_pin: 'member_pins',
  member_card: 'member_cards',
  member_token: 'member_tokens',
  member_magic_link: 'member_magic_links',
  member_group_association: 'member_group_associations',
} as const satisfies Record<CredentialKind, string>;

const credentialKinds = Object.keys(tables) as CredentialKind[];

const deleteIfActive = async (context: WriteContext, kind: CredentialKind, id: string): Promise<boolean> => {
  const row = await findRow(context, tables[kind], id);
  if (row === undefined || row.is_deleted === 1) return false;
  const ref = { parentId: row.member_id, id };
  if (kind === 'member_pin') await deleteMemberPin(context, ref);
  else await deleteMemberCredential(context, kind, ref);
  return true;
};

/**
 * Deletes what these revocations name and the database still contains. A member that was revoked because of its dates is
 * deleted too, because the dates are lost; an administrator can undelete it. Returns the deleted ids.
 */
export const applyLostRevocations = async (
  context: WriteContext,
  revocations: readonly RevocationMqttMessage[],
): Promise<string[]> => {
  const deleted: string[] = [];
  for (const revocation of revocations) {
    for (const id of revocation.member_ids) {
      const row = await findRow(context, 'members', id);
      if (row === undefined || row.is_deleted === 1) continue;
      await deleteMember(context, id);
      deleted.push(id);
    }
    for (const kind of credentialKinds)
      for (const id of revocation[`${kind}_ids`] ?? []) if (await deleteIfActive(context, kind, id)) deleted.push(id);
  }
  return deleted;
};
