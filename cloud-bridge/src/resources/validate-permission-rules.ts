import type { PermissionRule } from '@lintel/access-core/access-data-types';
import type { MemberGroupId } from '@lintel/access-core/ids';
import { findInheritanceCycle } from '@lintel/access-core/permission/inheritance-cycle';
import { createInvalidFieldError, checkAll, createUnknownReferenceError } from '../http/api-error.ts';
import { parseIdsOfJsonObjects } from './read-gadget-rows.ts';
import type { Database } from '../storage/schema.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';

const referencedTables = {
  site_id: 'sites',
  gadget_id: 'gadgets',
  schedule_id: 'schedules',
  member_group_id: 'member_groups',
} as const;

type ReferenceField = keyof typeof referencedTables;

const IDS_PER_QUERY = 1000;

/** Finds rows of the organization that are not deleted. */
const findActiveRows = async <T extends (typeof referencedTables)[ReferenceField]>(
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

const findActionChecks = (
  rules: readonly PermissionRule[],
  gadgets: ReadonlyMap<string, Database['gadgets']>,
): Array<() => void> =>
  rules.map(({ gadget_id, action_id }, index) => () => {
    const gadget = gadget_id == null ? undefined : gadgets.get(gadget_id);
    if (gadget === undefined || action_id == null) return;
    if (parseIdsOfJsonObjects(gadget.actions).includes(action_id)) return;
    const message = `must be the id of an action of the gadget ${gadget.id}`;
    throw createInvalidFieldError(`permissions.${index}.action_id`, message);
  });

/** Requires that all references exist, are not deleted, and that each action belongs to its gadget. */
export const requireValidPermissionRuleReferences = async (
  context: WriteContext,
  rules: readonly PermissionRule[],
): Promise<void> => {
  const checks: Array<() => void> = [];
  for (const field of Object.keys(referencedTables) as ReferenceField[]) {
    const rows = await findActiveRows(context, referencedTables[field], idsIn(rules, field));
    for (const [index, rule] of rules.entries()) {
      const id = rule[field];
      if (id == null || rows.has(id)) continue;
      checks.push(() => {
        throw createUnknownReferenceError(`permissions.${index}.${field}`, id);
      });
    }
    if (field === 'gadget_id') checks.push(...findActionChecks(rules, rows as Map<string, Database['gadgets']>));
  }
  await checkAll(checks);
};

const collectInheritedRules = async (
  context: WriteContext,
  rules: readonly PermissionRule[],
): Promise<Map<string, readonly PermissionRule[]>> => {
  const rulesByGroup = new Map<string, readonly PermissionRule[]>();
  for (let next = idsIn(rules, 'member_group_id'); next.length > 0; ) {
    const groups = await findActiveRows(context, 'member_groups', next);
    const found = [...groups.values()].map(
      group => [group.id, JSON.parse(group.permissions) as PermissionRule[]] as const,
    );
    for (const [id, rulesOfGroup] of found) rulesByGroup.set(id, rulesOfGroup);
    next = idsIn(
      found.flatMap(([, rulesOfGroup]) => rulesOfGroup),
      'member_group_id',
    ).filter(id => !rulesByGroup.has(id));
  }
  return rulesByGroup;
};

/** Rejects rules through which a group would inherit from itself. */
export const requireNoInheritanceCycle = async (
  context: WriteContext,
  groupId: string,
  rules: readonly PermissionRule[],
): Promise<void> => {
  const rulesByGroup = await collectInheritedRules(context, rules);
  const cycle = findInheritanceCycle(groupId as MemberGroupId, rules, id => rulesByGroup.get(id));
  if (cycle === null) return;
  const field = `permissions.${rules.findIndex(rule => rule.member_group_id === cycle[1])}.member_group_id`;
  throw createInvalidFieldError(field, `must not let the group inherit from itself: ${cycle.join(' → ')}`);
};
