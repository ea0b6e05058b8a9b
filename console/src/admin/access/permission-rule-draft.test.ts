import { describe, expect, it } from 'vitest';
import {
  findSameRules,
  replacePermissionRules,
  isPermissionRuleDraftComplete,
  mergeNeighboringPermissionRules,
  emptyPermissionRuleDraft,
} from './permission-rule-draft.ts';
import type { MemberGroupPermission } from './member-group-access.ts';

const rules = [
  { gadget_id: 'gad_1', access_methods: { pin: true, card: false } },
  { gadget_id: 'gad_2', access_methods: { pin: true } },
  { gadget_id: 'gad_2', action_id: 'open', schedule_id: 'sch_1', presence: 'gps' },
  { site_id: 'site_1', member_group_id: 'mg_1' },
  {},
] as MemberGroupPermission[];

describe('mergeNeighboringPermissionRules', () => {
  it('shows neighboring rules for several doors as one entry', () => {
    const entries = mergeNeighboringPermissionRules(rules);
    expect(entries.map(({ first, count }) => [first, count])).toEqual([
      [0, 2],
      [2, 1],
      [3, 1],
      [4, 1],
    ]);
    expect(entries[0]!.draft).toMatchObject({ target: 'doors', doorIds: ['gad_1', 'gad_2'], methods: ['pin'] });
    expect(entries[1]!.draft).toMatchObject({ actionId: 'open', scheduleId: 'sch_1', requiresPresence: true });
    expect(entries[2]!.draft).toMatchObject({ target: 'site', siteId: 'site_1', inheritedGroupId: 'mg_1' });
    expect(entries[3]!.draft).toMatchObject({ target: 'all', methods: null });
  });
});

describe('findSameRules', () => {
  it('finds the entry at its new position, and nothing once it has changed', () => {
    const [entry] = mergeNeighboringPermissionRules(rules);
    const moved = [{ site_id: 'site_2' } as MemberGroupPermission, ...rules];
    expect(findSameRules(moved, entry!)).toEqual({ ...entry, first: 1 });
    expect(findSameRules(rules.slice(1), entry!)).toBeNull();
    expect(findSameRules(rules, null)).toBeNull();
  });
});

describe('changeRules', () => {
  it('replaces the rules of an entry and leaves the others as they are', () => {
    const [entry] = mergeNeighboringPermissionRules(rules);
    const changed = replacePermissionRules(rules, entry!, {
      ...entry!.draft,
      doorIds: ['gad_3', 'gad_4'],
      methods: null,
    });
    expect(changed).toEqual([{ gadget_id: 'gad_3' }, { gadget_id: 'gad_4' }, ...rules.slice(2)]);
  });

  it('adds a rule at the end, and removes an entry', () => {
    const added = replacePermissionRules(rules, null, {
      ...emptyPermissionRuleDraft,
      target: 'site',
      siteId: 'site_2',
      requiresPresence: true,
    });
    expect(added.at(-1)).toEqual({ site_id: 'site_2', presence: 'gps' });
    expect(replacePermissionRules(rules, mergeNeighboringPermissionRules(rules)[0]!, null)).toEqual(rules.slice(2));
  });

  it('writes back every rule that it can read', () => {
    const written = mergeNeighboringPermissionRules(rules).reduce<readonly MemberGroupPermission[]>(
      (all, { draft }) => replacePermissionRules(all, null, draft),
      [],
    );
    expect(mergeNeighboringPermissionRules(written)).toEqual(mergeNeighboringPermissionRules(rules));
  });
});

describe('isPermissionRuleDraftComplete', () => {
  it('requires a site, a door and a credential where they are chosen one by one', () => {
    expect(isPermissionRuleDraftComplete(emptyPermissionRuleDraft)).toBe(false);
    expect(isPermissionRuleDraftComplete({ ...emptyPermissionRuleDraft, doorIds: ['gad_1'] })).toBe(true);
    expect(isPermissionRuleDraftComplete({ ...emptyPermissionRuleDraft, target: 'site' })).toBe(false);
    expect(isPermissionRuleDraftComplete({ ...emptyPermissionRuleDraft, target: 'all', methods: [] })).toBe(false);
  });
});
