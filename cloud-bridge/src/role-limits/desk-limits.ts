import { DAY_MS } from '@lintel/access-core/durations';
import type { Instant } from '@lintel/access-core/instant';
import type { DeskLimitsResponse, EditDeskLimitsRequest } from '@lintel/wire-protocol/admin/desk-limits';
import type { Kysely } from 'kysely';
import { loadOrganizationWithoutMembers } from '../devices/access-snapshot/organization-without-members.ts';
import { listGadgetsByGroup } from '../devices/effective-access.ts';
import { ApiError, checkAll } from '../http/api-error.ts';
import type { Database } from '../storage/schema.ts';
import type { Actor } from '../transactions/actor.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { requireReferencedRow } from '../transactions/row-operations.ts';

/** Without a setting of the organization. */
const DEFAULT_LONGEST_STAY_DAYS = 31;
/** Without a setting of the group: it opens a room, not the house. */
const MOST_DOORS_BY_DEFAULT = 1;

/** What the front desk may give: the groups, each with whether an administrator has decided it, and the longest stay. */
export const loadDeskLimits = async (
  db: Kysely<Database>,
  organizationId: string,
  now: Instant,
): Promise<DeskLimitsResponse> => {
  const structure = await loadOrganizationWithoutMembers(db, organizationId);
  const settings = await db
    .selectFrom('desk_settings')
    .select('longest_stay_days')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  const decided = await db
    .selectFrom('desk_groups')
    .select(['member_group_id', 'may_give'])
    .where('organization_id', '=', organizationId)
    .execute();
  const decisions = new Map(decided.map(({ member_group_id, may_give }) => [member_group_id, may_give === 1]));
  const groupIds = [...structure.groups.keys()];
  const opened = listGadgetsByGroup(structure, groupIds, now);
  return {
    longest_stay_days: settings === undefined ? DEFAULT_LONGEST_STAY_DAYS : settings.longest_stay_days,
    member_groups: groupIds.map(id => ({
      member_group_id: id as DeskLimitsResponse['member_groups'][number]['member_group_id'],
      may_give: decisions.get(id) ?? (opened.get(id)?.size ?? 0) <= MOST_DOORS_BY_DEFAULT,
      is_default: !decisions.has(id),
    })),
  };
};

export const editDeskLimits = async (
  context: WriteContext,
  { longest_stay_days, member_groups = [] }: EditDeskLimitsRequest,
): Promise<void> => {
  const { db, organizationId } = context;
  if (longest_stay_days !== undefined) {
    await db
      .insertInto('desk_settings')
      .values({ organization_id: organizationId, longest_stay_days })
      .onConflict(conflict => conflict.column('organization_id').doUpdateSet({ longest_stay_days }))
      .execute();
    context.log({ verb: 'edit', object: { type: 'organization', organization_id: organizationId } });
  }
  await checkAll(
    member_groups.map(({ member_group_id }, index) => () => {
      const field = `member_groups.${index}.member_group_id`;
      return requireReferencedRow(context, 'member_groups', field, member_group_id);
    }),
  );
  for (const { member_group_id, may_give } of member_groups) {
    await db.deleteFrom('desk_groups').where('member_group_id', '=', member_group_id).execute();
    if (may_give !== null)
      await db
        .insertInto('desk_groups')
        .values({ organization_id: organizationId, member_group_id, may_give: may_give ? 1 : 0 })
        .execute();
    context.log({ verb: 'edit', object: { type: 'member_group', member_group_id } });
  }
};

const isAtDesk = async ({ db, organizationId }: WriteContext, { user_id }: Actor): Promise<boolean> => {
  if (user_id === undefined) return false;
  const user = await db
    .selectFrom('organization_users')
    .select('role')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', user_id)
    .executeTakeFirst();
  return user?.role === 'front_desk';
};

/**
 * Fails if the front desk has given a member access that it may not give: a group that is not open to it, or a stay that is
 * too long. Runs at the end of every write, because each of its steps alone may be harmless. The present role of the user
 * counts, also for a token.
 */
export const requireDeskMayGive = async (
  context: WriteContext,
  memberIds: ReadonlySet<string>,
  actor: Actor,
): Promise<void> => {
  if (!(await isAtDesk(context, actor))) return;
  const { db, organizationId, now } = context;
  const limits = await loadDeskLimits(db, organizationId, now);
  const mayGive = new Map<string, boolean>(limits.member_groups.map(group => [group.member_group_id, group.may_give]));
  const { longest_stay_days: days } = limits;
  for (const id of memberIds) {
    const rows = await db
      .selectFrom('member_group_associations as a')
      .innerJoin('members as m', 'm.id', 'a.member_id')
      .innerJoin('member_groups as g', 'g.id', 'a.member_group_id')
      .select(['g.id', 'g.name', 'a.starts_at', 'a.ends_at', 'm.starts_at as member_start', 'm.ends_at as member_end'])
      .where('a.member_id', '=', id)
      .where('a.is_deleted', '=', 0)
      .where('m.is_deleted', '=', 0)
      .where('g.is_deleted', '=', 0)
      .execute();
    for (const { id: member_group_id, name, starts_at, ends_at, member_start, member_end } of rows) {
      const end = Math.min(ends_at ?? Infinity, member_end ?? Infinity);
      if (end <= now) continue;
      if (mayGive.get(member_group_id) !== true)
        throw new ApiError('forbidden', `The front desk may not give the group ${name}. Ask an administrator`, {
          reason: 'desk_group',
          member_group_id,
          name,
        });
      const start = Math.max(starts_at ?? now, member_start ?? now, now);
      if (days !== null && end - start > days * DAY_MS)
        throw new ApiError('forbidden', `The front desk may give at most ${days} days. Choose an earlier end`, {
          reason: 'desk_stay',
          days: String(days),
        });
    }
  }
};
