import type { MemberGroupLockoutResponse } from '@lintel/wire-protocol/admin/credential-delivery-to-controllers';
import type { Instant } from '@lintel/access-core/instant';
import { sql } from 'kysely';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import { buildIdInExpression } from '../../queries/sql-conditions.ts';
import {
  loadOrganizationWithoutMembers,
  type OrganizationWithoutMembers,
} from '../access-snapshot/organization-without-members.ts';
import { describeLostDoors } from './doors.ts';
import { coversAccess, type GroupAccess, listGroupAccess } from './group-access.ts';
import { type GroupLoss, GroupLosses, SHOWN_MS } from './group-losses.ts';

type Services = Pick<BridgeServices, 'storage' | 'clock'>;

/** Members of the group now or later. */
const isMember = (groupId: string, now: Instant) => sql`a.member_group_id = ${groupId} and a.is_deleted = 0
  and (a.ends_at is null or a.ends_at > ${now}) and m.is_deleted = 0 and (m.ends_at is null or m.ends_at > ${now})`;

/** Members of the group who are in none of the other groups. */
const countMembers = async (
  { storage: { reader, engine } }: Services,
  groupId: string,
  others: readonly string[],
  now: Instant,
): Promise<number> => {
  const { rows } = await sql<{ readonly count: number }>`select count(distinct a.member_id) as count
    from member_group_associations as a join members as m on m.id = a.member_id
    where ${isMember(groupId, now)} and not exists (select 1 from member_group_associations as o
      where o.member_id = a.member_id and o.is_deleted = 0 and (o.ends_at is null or o.ends_at > ${now})
        and ${buildIdInExpression(engine, sql`o.member_group_id`, others)})`.execute(reader);
  return rows[0]!.count;
};

const hasCachedCredential = async ({ storage }: Services, groupId: string, now: Instant): Promise<boolean> => {
  for (const table of ['member_pins', 'member_cards', 'member_tokens'] as const) {
    const { rows } = await sql`select 1 from member_group_associations as a join members as m on m.id = a.member_id
      join ${sql.table(table)} as c on c.member_id = a.member_id
      where ${isMember(groupId, now)} limit 1`.execute(storage.reader);
    if (rows.length > 0) return true;
  }
  return false;
};

/** How many members have lost a gadget, or times and methods at it, although they may be in other groups. */
class MemberCounts {
  readonly #services: Services;
  readonly #groupId: string;
  readonly #now: Instant;
  readonly #access: ReadonlyMap<string, GroupAccess>;
  readonly #counts = new Map<string, Promise<number>>();

  constructor(
    services: Services,
    groupId: string,
    { structure, gadgetIds }: { readonly structure: OrganizationWithoutMembers; readonly gadgetIds: Iterable<string> },
    now: Instant,
  ) {
    this.#services = services;
    this.#groupId = groupId;
    this.#now = now;
    const ids = [...gadgetIds];
    this.#access = new Map(
      [...structure.groups.keys()].map(id => [id, listGroupAccess(structure, id, now, ids)] as const),
    );
  }

  #count(others: readonly string[]): Promise<number> {
    const key = others.join(' ');
    const count = this.#counts.get(key) ?? countMembers(this.#services, this.#groupId, others, this.#now);
    this.#counts.set(key, count);
    return count;
  }

  async of(gadgetId: string, { before }: GroupLoss): Promise<{ members_without: number; members_with_less: number }> {
    const groups = [...this.#access].flatMap(([id, access]) => {
      const grants = access.get(gadgetId);
      return grants === undefined ? [] : [{ id, isEnough: coversAccess(grants, before) }];
    });
    const enough = groups.filter(({ isEnough }) => isEnough);
    const without = await this.#count(groups.map(({ id }) => id));
    const affected = await this.#count(enough.map(({ id }) => id));
    return { members_without: without, members_with_less: affected - without };
  }
}

/** What the members of a group have lost by edits and deletions of groups and schedules, and the doors that still allow it. */
export const loadGroupLockout = async (
  services: Services,
  organizationId: string,
  groupId: string,
  isVisible: (siteId: string) => boolean,
): Promise<MemberGroupLockoutResponse['doors']> => {
  const { storage } = services;
  const now = services.clock();
  const structure = await loadOrganizationWithoutMembers(storage.reader, organizationId);
  const losses = (await GroupLosses.load(storage, organizationId, async () => structure, now))?.of(groupId);
  if (losses === undefined || losses.size === 0) return [];
  const counts = new MemberCounts(services, groupId, { structure, gadgetIds: losses.keys() }, now);
  const isCached = await hasCachedCredential(services, groupId, now);
  const lostAccess = { structure, lost: losses, groups: new Set([groupId]), isCached, shownSince: now - SHOWN_MS };
  const doors = await describeLostDoors(services, organizationId, lostAccess, isVisible);
  const counted = [];
  for (const door of doors)
    counted.push({ ...door, ...(await counts.of(door.gadget_id, losses.get(door.gadget_id)!)) });
  return counted.filter(({ members_without, members_with_less }) => members_without + members_with_less > 0);
};
