import type { PermissionRule } from '@lintel/access-core/access-model';
import type { MemberGroupId } from '@lintel/access-core/ids';
import { findInheritanceCycle } from '@lintel/access-core/permission/inheritance-cycle';
import { invalid } from '../http/api-error.ts';
import type { Database } from '../storage/schema.ts';
import type { WriteContext } from '../transactions/writer.ts';

const referred = {
  site_id: 'sites',
  gadget_id: 'gadgets',
  schedule_id: 'schedules',
  member_group_id: 'member_groups',
} as const;

type ReferenceField = keyof typeof referred;

const IDS_PER_QUERY = 1000;

/** The organization's living rows among these ids. */
const livingRows = async <T extends (typeof referred)[ReferenceField]>(
  { db, organizationId }: WriteContext,
  table: T,
  ids: readonly string[],
): Promise<Map<string, Database[T]>> => {
  const rows = new Map<string, Database[T]>();
  for (let from = 0; from < ids.length; from += IDS_PER_QUERY) {
    const found = await db
      .selectFrom(table as 'sites')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('is_deleted', '=', 0)
      .where('id', 'in', ids.slice(from, from + IDS_PER_QUERY))
      .execute();
    for (const row of found) rows.set(row.id, row as unknown as Database[T]);
  }
  return rows;
};

const idsIn = (rules: readonly PermissionRule[], field: ReferenceField): string[] => [
  ...new Set(rules.flatMap(rule => rule[field] ?? [])),
];

const requireActions = (
  rules: readonly PermissionRule[],
  gadgets: ReadonlyMap<string, Database['gadgets']>,
  path: string,
): void => {
  for (const [index, { gadget_id, action_id }] of rules.entries()) {
    if (gadget_id == null || action_id == null) continue;
    const actions = JSON.parse(gadgets.get(gadget_id)!.actions) as readonly { readonly id: string }[];
    if (actions.some(({ id }) => id === action_id)) continue;
    throw invalid(`${path}.${index}.action_id`, `${path}.${index}.action_id is not an action of gadget ${gadget_id}`);
  }
};

/** Everything that the rules name is living and of the organization, and each action is its gadget's. */
export const requireReferencesOfRules = async (
  context: WriteContext,
  rules: readonly PermissionRule[],
  path = 'permissions',
): Promise<void> => {
  for (const field of Object.keys(referred) as ReferenceField[]) {
    const rows = await livingRows(context, referred[field], idsIn(rules, field));
    for (const [index, rule] of rules.entries()) {
      const id = rule[field];
      if (id == null || rows.has(id)) continue;
      throw invalid(`${path}.${index}.${field}`, `${path}.${index}.${field}: there is no ${id}`, { id });
    }
    if (field === 'gadget_id') requireActions(rules, rows as Map<string, Database['gadgets']>, path);
  }
};

const rulesReachedFrom = async (
  context: WriteContext,
  rules: readonly PermissionRule[],
): Promise<Map<string, readonly PermissionRule[]>> => {
  const reached = new Map<string, readonly PermissionRule[]>();
  for (let next = idsIn(rules, 'member_group_id'); next.length > 0; ) {
    const groups = await livingRows(context, 'member_groups', next);
    const found = [...groups.values()].map(
      group => [group.id, JSON.parse(group.permissions) as PermissionRule[]] as const,
    );
    for (const [id, rulesOfGroup] of found) reached.set(id, rulesOfGroup);
    next = idsIn(
      found.flatMap(([, rulesOfGroup]) => rulesOfGroup),
      'member_group_id',
    ).filter(id => !reached.has(id));
  }
  return reached;
};

/** A group must not inherit from itself, by whatever way round. */
export const requireNoCycle = async (
  context: WriteContext,
  groupId: string,
  rules: readonly PermissionRule[],
  path = 'permissions',
): Promise<void> => {
  const reached = await rulesReachedFrom(context, rules);
  const way = findInheritanceCycle(groupId as MemberGroupId, rules, id => reached.get(id));
  if (way === null) return;
  const field = `${path}.${rules.findIndex(rule => rule.member_group_id === way[1])}.member_group_id`;
  throw invalid(field, `${field}: the group would inherit from itself: ${way.join(' → ')}`);
};
