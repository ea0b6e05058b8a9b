import type { MemberGroupSizesResponse } from '@lintel/wire-protocol/admin/member-group-sizes';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../storage/schema.ts';

const MAX_ORGANIZATIONS = 1_000;

/** Members by group. A member with several associations to a group counts once. */
const countMembersByMemberGroup = async (
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

/**
 * Counts the members of an organization once for each of its revisions, because a large organization takes tens of
 * milliseconds, in which no other request is served.
 */
export class MemberGroupSizes {
  readonly #db: Kysely<Database>;
  /** Least recently used first. */
  readonly #counts = new Map<
    string,
    { readonly revision: number; readonly sizes: Promise<MemberGroupSizesResponse> }
  >();

  constructor(db: Kysely<Database>) {
    this.#db = db;
  }

  async of(organizationId: string): Promise<MemberGroupSizesResponse> {
    const { revision } = await this.#db
      .selectFrom('organizations')
      .select('revision')
      .where('id', '=', organizationId)
      .executeTakeFirstOrThrow();
    const known = this.#counts.get(organizationId);
    const sizes = known?.revision === revision ? known.sizes : countMembersByMemberGroup(this.#db, organizationId);
    this.#counts.delete(organizationId);
    this.#counts.set(organizationId, { revision, sizes });
    const [oldest] = this.#counts.keys();
    if (oldest !== undefined && this.#counts.size > MAX_ORGANIZATIONS) this.#counts.delete(oldest);
    try {
      return await sizes;
    } catch (error) {
      if (this.#counts.get(organizationId)?.sizes === sizes) this.#counts.delete(organizationId);
      throw error;
    }
  }
}
