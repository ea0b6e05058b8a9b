import type { GroupAssociation, Member, Schedule, Site } from '@lintel/access-core/access-data-types';
import type { GadgetId, MemberId, SiteId } from '@lintel/access-core/ids';
import { type Instant } from '@lintel/access-core/instant';
import type { AccessDataSource } from '@lintel/access-core/permission/access-data-source-interface';
import {
  type AccessGrant,
  listGrantsForAction,
  listMemberPermissionRules,
} from '@lintel/access-core/permission/access-grants';
import type { ActionAccess, MemberAccessResponse } from '@lintel/wire-protocol/admin/effective-access';
import { toDateTimeOrNull } from '@lintel/wire-protocol/schema-parts/date-time';
import { type Kysely, sql } from 'kysely';
import { buildIdInExpression } from '../queries/sql-conditions.ts';
import type { DatabaseEngine } from '../storage/database-engine-type.ts';
import type { Database, MemberRow } from '../storage/schema.ts';
import type { OrganizationWithoutMembers, ParsedGadgetRow } from './access-snapshot/organization-without-members.ts';

type MemberDates = Pick<MemberRow, 'id' | 'is_deleted' | 'starts_at' | 'ends_at'>;

/** The access data of all groups and gadgets of an organization, without members. */
const accessDataOf = ({ groups, schedules, gadgets, sites }: OrganizationWithoutMembers): AccessDataSource => ({
  member: () => undefined,
  memberGroup: id => {
    const group = groups.get(id);
    return group === undefined ? undefined : { id, is_deleted: false, permissions: group.permissions };
  },
  schedule: id => {
    const schedule = schedules.get(id);
    if (schedule === undefined) return undefined;
    return { id, is_deleted: false, weekdays: JSON.parse(schedule.weekdays) as Schedule['weekdays'] };
  },
  gadget: id => {
    const gadget = gadgets.get(id);
    return gadget === undefined ? undefined : toGadget(gadget);
  },
  site: id => {
    const site = sites.get(id);
    if (site === undefined) return undefined;
    const geo = site.geo === null ? null : (JSON.parse(site.geo) as Site['geo']);
    return { id, is_deleted: false, timezone: site.timezone, geo };
  },
});

const toGadget = ({ id, site_id, actions }: ParsedGadgetRow) => ({
  id: id as GadgetId,
  site_id: site_id as SiteId,
  is_deleted: false,
  action_ids: actions.map(action => action.id),
});

const loadAssociations = async (
  db: Kysely<Database>,
  engine: DatabaseEngine,
  memberIds: readonly string[],
): Promise<Map<string, GroupAssociation[]>> => {
  const { rows } = await sql<GroupAssociation & { readonly member_id: string }>`
    select a.id, a.member_id, a.member_group_id, a.starts_at, a.ends_at from member_group_associations as a
    where ${buildIdInExpression(engine, sql`a.member_id`, memberIds)} and a.is_deleted = 0 order by a.created_at, a.id`.execute(
    db,
  );
  return Map.groupBy(rows, ({ member_id }) => member_id);
};

const memberWith = (association: GroupAssociation): Member => ({
  id: '' as MemberId,
  is_deleted: false,
  starts_at: null,
  ends_at: null,
  group_associations: [association],
  pins: [],
  cards: [],
  tokens: [],
});

const groupAsAssociation = (id: string): GroupAssociation =>
  ({ id, member_group_id: id, starts_at: null, ends_at: null }) as unknown as GroupAssociation;

/** The gadgets that each of the associations opens, now or later, whatever the member's own dates are. */
export const listGadgetsByAssociation = (
  structure: OrganizationWithoutMembers,
  associations: readonly GroupAssociation[],
  now: Instant,
): ReadonlyMap<string, ReadonlySet<string>> => {
  const data = accessDataOf(structure);
  return new Map(
    associations.map(association => {
      const rules = listMemberPermissionRules(data, memberWith(association), now);
      const opened = [...structure.gadgets.values()].filter(gadget =>
        gadget.actions.some(({ id }) => listGrantsForAction(data, rules, toGadget(gadget), id).length > 0),
      );
      return [association.id, new Set(opened.map(({ id }) => id))];
    }),
  );
};

/** The same for groups, as if a member were in each of them. */
export const listGadgetsByGroup = (
  structure: OrganizationWithoutMembers,
  groupIds: Iterable<string>,
  now: Instant,
): ReadonlyMap<string, ReadonlySet<string>> =>
  listGadgetsByAssociation(structure, [...groupIds].map(groupAsAssociation), now);

/** How members of the group may perform actions of the gadgets, now or later; without gadgets that they cannot use. */
export const listGroupGrants = (
  structure: OrganizationWithoutMembers,
  groupId: string,
  now: Instant,
  gadgetIds: Iterable<string>,
): readonly (readonly [gadgetId: string, grants: readonly (AccessGrant & { readonly action_id: string })[]])[] => {
  const data = accessDataOf(structure);
  const rules = listMemberPermissionRules(data, memberWith(groupAsAssociation(groupId)), now);
  return [...gadgetIds].flatMap(id => {
    const gadget = structure.gadgets.get(id);
    const grants =
      gadget?.actions.flatMap(action =>
        listGrantsForAction(data, rules, toGadget(gadget), action.id).map(grant => ({
          ...grant,
          action_id: action.id,
        })),
      ) ?? [];
    return grants.length === 0 ? [] : [[id, grants] as const];
  });
};

const toResponseGrant = ({ association_id, rule, starts_at, ends_at, ...grant }: AccessGrant) => ({
  member_group_association_id: association_id,
  member_group_id: rule.member_group_id,
  access_methods: [...grant.access_methods],
  schedule_ids: [...grant.schedule_ids],
  requires_presence: grant.requires_presence,
  starts_at: toDateTimeOrNull(starts_at),
  ends_at: toDateTimeOrNull(ends_at),
});

export interface EffectiveAccessContext {
  readonly db: Kysely<Database>;
  readonly engine: DatabaseEngine;
  readonly structure: OrganizationWithoutMembers;
  readonly now: Instant;
}

/** What each member may do with the gadgets, now or later. */
export const loadEffectiveAccess = async (
  { db, engine, structure, now }: EffectiveAccessContext,
  members: readonly MemberDates[],
  gadgets: readonly ParsedGadgetRow[],
): Promise<Map<string, Pick<MemberAccessResponse, 'access' | 'is_complete'>>> => {
  const data = accessDataOf(structure);
  const ids = members.map(({ id }) => id);
  const associations = await loadAssociations(db, engine, ids);
  return new Map(
    members.map(({ id, is_deleted, starts_at, ends_at }) => {
      const member: Member = {
        id: id as MemberId,
        is_deleted: is_deleted === 1,
        starts_at: starts_at as Instant | null,
        ends_at: ends_at as Instant | null,
        group_associations: associations.get(id) ?? [],
        pins: [],
        cards: [],
        tokens: [],
      };
      const rules = listMemberPermissionRules(data, member, now);
      const access = gadgets.flatMap(gadget =>
        gadget.actions.flatMap((action): ActionAccess[] => {
          const grants = listGrantsForAction(data, rules, toGadget(gadget), action.id).map(toResponseGrant);
          if (grants.length === 0) return [];
          const { id: gadget_id, site_id } = toGadget(gadget);
          return [{ gadget_id, site_id, action_id: action.id, grants }];
        }),
      );
      return [id, { access, is_complete: rules.complete }];
    }),
  );
};
