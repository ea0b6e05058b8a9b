import { describe, expect, it } from 'vitest';
import { adminMessages as german } from '../messages/de.ts';
import { adminMessages as english } from '../messages/en.ts';
import { describePermissionRule } from './describe-permission-rule.ts';
import type { PermissionRuleObjects } from './member-group-access.ts';
import { emptyPermissionRuleDraft, type PermissionRuleDraft } from './permission-rule-draft.ts';

const objects = {
  groups: [{ id: 'mg_1', name: 'Staff' }],
  schedules: [{ id: 'sch_1', name: 'Day' }],
  doors: [
    { id: 'gad_1', name: 'Front door', actions: [{ id: 'open', name: 'Open' }] },
    { id: 'gad_2', name: 'Room 101', actions: [{ id: 'open', name: 'Open' }] },
  ],
  sites: [{ id: 'site_1', name: 'Hotel' }],
} as unknown as PermissionRuleObjects;

const describeIn = (messages: typeof english, locale: string, changes: Partial<PermissionRuleDraft>) =>
  describePermissionRule({ ...emptyPermissionRuleDraft, ...changes }, { messages, locale, objects });
const sentenceOf = (changes: Partial<PermissionRuleDraft>): string => describeIn(english, 'en', changes).sentence;

describe('describePermissionRule', () => {
  it('names doors, action, credentials and schedule', () => {
    expect(sentenceOf({ doorIds: ['gad_1', 'gad_2'], methods: ['pin', 'card'], scheduleId: 'sch_1' })).toBe(
      'Members may use Front door and Room 101, with PIN or card, during Day.',
    );
    expect(sentenceOf({ doorIds: ['gad_1'], actionId: 'open', requiresPresence: true })).toBe(
      'Members may use Front door (only “Open”), with any credential, at any time, over the web only at the site.',
    );
    expect(describeIn(german, 'de', { target: 'site', siteId: 'site_1' }).sentence).toBe(
      'Mitglieder dürfen alle Türen von Hotel benutzen, mit jedem Zugangsmittel, jederzeit.',
    );
  });

  it('names the group whose permissions are inherited, and their limit', () => {
    expect(sentenceOf({ target: 'all', inheritedGroupId: 'mg_1' })).toBe(
      'Members may do what Staff may do, with any credential, at any time.',
    );
    expect(sentenceOf({ doorIds: ['gad_2'], inheritedGroupId: 'mg_1' })).toBe(
      'Members may do what Staff may do at Room 101, with any credential, at any time.',
    );
  });

  it('reports a reference to something deleted', () => {
    expect(describeIn(english, 'en', { doorIds: ['gad_9'] })).toEqual({
      sentence: 'Members may use a deleted object, with any credential, at any time.',
      isDropped: true,
    });
  });
});
