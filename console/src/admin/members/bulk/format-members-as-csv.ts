import { formatCsv } from '../../csv/format-and-save-csv.ts';
import type { MemberWithGroupAssociations } from '../member-list-item.tsx';

interface ExportedMember extends MemberWithGroupAssociations {
  readonly emails?: readonly { readonly email: string }[];
  readonly tags?: readonly { readonly name: string }[];
}

const COLUMNS = ['id', 'name', 'starts_at', 'ends_at', 'emails', 'groups', 'tags'];

/** One line per member, with the field names of the API. */
export const formatMembersAsCsv = (members: readonly ExportedMember[]): string =>
  formatCsv([
    COLUMNS,
    ...members.map(({ id, name, starts_at, ends_at, emails = [], group_associations = [], tags = [] }) => [
      id,
      name,
      starts_at ?? '',
      ends_at ?? '',
      emails.map(({ email }) => email).join('; '),
      group_associations.flatMap(({ member_group }) => member_group?.name ?? []).join('; '),
      tags.map(tag => tag.name).join('; '),
    ]),
  ]);
