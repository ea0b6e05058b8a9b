import { type AccessMethod, accessMethods } from '@lintel/access-core/access-data-types';
import type { MemberGroupPermission } from './member-group-access.ts';

/** A permission as a person thinks of it: it may name several doors, for which the API needs one rule each. */
export interface PermissionRuleDraft {
  /** The group whose permissions are inherited; null if the rule gives access to doors by itself. */
  readonly inheritedGroupId: string | null;
  readonly target: 'all' | 'site' | 'doors';
  readonly siteId: string | null;
  readonly doorIds: readonly string[];
  /** Null for all actions of the doors. */
  readonly actionId: string | null;
  /** Null for all credentials. */
  readonly methods: readonly AccessMethod[] | null;
  readonly scheduleId: string | null;
  readonly requiresPresence: boolean;
}

/** A draft and the rules of the group that it stands for: `count` rules from the index `first`. */
export interface MergedPermissionRules {
  readonly draft: PermissionRuleDraft;
  readonly first: number;
  readonly count: number;
}

export const emptyPermissionRuleDraft: PermissionRuleDraft = {
  inheritedGroupId: null,
  target: 'doors',
  siteId: null,
  doorIds: [],
  actionId: null,
  methods: null,
  scheduleId: null,
  requiresPresence: false,
};

const toDraft = (rule: MemberGroupPermission): PermissionRuleDraft => ({
  inheritedGroupId: rule.member_group_id ?? null,
  target: rule.gadget_id != null ? 'doors' : rule.site_id != null ? 'site' : 'all',
  siteId: rule.site_id ?? null,
  doorIds: rule.gadget_id == null ? [] : [rule.gadget_id],
  actionId: rule.action_id ?? null,
  methods: rule.access_methods == null ? null : accessMethods.filter(method => rule.access_methods?.[method] === true),
  scheduleId: rule.schedule_id ?? null,
  requiresPresence: rule.presence === 'gps',
});

const withoutDoors = (draft: PermissionRuleDraft): string => JSON.stringify({ ...draft, doorIds: [] });

const canMerge = (a: PermissionRuleDraft, b: PermissionRuleDraft): boolean =>
  a.target === 'doors' && withoutDoors(a) === withoutDoors(b) && !a.doorIds.includes(b.doorIds[0] ?? '');

/** Neighboring rules that differ only in the door become one entry. */
export const mergeNeighboringPermissionRules = (
  rules: readonly MemberGroupPermission[],
): readonly MergedPermissionRules[] => {
  const entries: MergedPermissionRules[] = [];
  for (const [index, rule] of rules.entries()) {
    const draft = toDraft(rule);
    const last = entries.at(-1);
    if (last === undefined || !canMerge(last.draft, draft)) {
      entries.push({ draft, first: index, count: 1 });
      continue;
    }
    const doorIds = [...last.draft.doorIds, ...draft.doorIds];
    entries[entries.length - 1] = { ...last, draft: { ...last.draft, doorIds }, count: last.count + 1 };
  }
  return entries;
};

/** The same entry in other rules of the group. Null if another user has changed or deleted it. */
export const findSameRules = (
  rules: readonly MemberGroupPermission[],
  entry: MergedPermissionRules | null,
): MergedPermissionRules | null => {
  const wanted = JSON.stringify(entry?.draft ?? null);
  return mergeNeighboringPermissionRules(rules).find(({ draft }) => JSON.stringify(draft) === wanted) ?? null;
};

const toRules = (draft: PermissionRuleDraft): readonly MemberGroupPermission[] => {
  const { inheritedGroupId, methods, scheduleId, requiresPresence, target, actionId } = draft;
  const common = {
    ...(inheritedGroupId === null ? {} : { member_group_id: inheritedGroupId }),
    ...(methods === null ? {} : { access_methods: Object.fromEntries(methods.map(method => [method, true])) }),
    ...(scheduleId === null ? {} : { schedule_id: scheduleId }),
    ...(requiresPresence ? { presence: 'gps' } : {}),
  };
  const action = actionId === null ? {} : { action_id: actionId };
  const targets =
    target === 'doors'
      ? draft.doorIds.map(gadget_id => ({ gadget_id, ...action }))
      : [target === 'site' ? { site_id: draft.siteId } : {}];
  return targets.map(one => ({ ...one, ...common }) as MemberGroupPermission);
};

/** Replaces the rules of the entry, or adds some if it is null. Without a draft, the rules are removed. */
export const replacePermissionRules = (
  rules: readonly MemberGroupPermission[],
  entry: MergedPermissionRules | null,
  draft: PermissionRuleDraft | null,
): readonly MemberGroupPermission[] => {
  const { first, count } = entry ?? { first: rules.length, count: 0 };
  return [...rules.slice(0, first), ...(draft === null ? [] : toRules(draft)), ...rules.slice(first + count)];
};

export const isPermissionRuleDraftComplete = ({ target, siteId, doorIds, methods }: PermissionRuleDraft): boolean =>
  (target !== 'site' || siteId !== null) &&
  (target !== 'doors' || doorIds.length > 0) &&
  (methods === null || methods.length > 0);
