import type { MemberGroupSizesResponse } from '@lintel/wire-protocol/admin/member-group-sizes';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../storage/schema.ts';

/** Members by group. A member with several associations to a group counts once. */
export const countMembersByMemberGroup = async (
  db: Kysely<Database>,
  organizationId: string,
): Promise<MemberGroupSizesResponse> => {
  const { rows } = await sql<MemberGroupSizesResponse['member_groups'][number]>`
    select a.member_group_id, cast(count(distinct a.member_id) as integer) as members
    from member_group_associations as a
    join members as m on m.id = a.member_id and m.is_deleted = 0
    where a.organization_id = ${organizationId} and a.is_deleted = 0
    group by a.member_group_id order by a.member_group_id`.execute(db);
  return { member_groups: rows };
};
