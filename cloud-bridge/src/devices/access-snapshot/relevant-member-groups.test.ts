import type { PermissionRule } from '@lintel/access-core/access-data-types';
import { describe, expect, it } from 'vitest';
import { collectRelevantMemberGroups } from './relevant-member-groups.ts';
import type { OrganizationWithoutMembers, ParsedGadgetRow } from './organization-without-members.ts';

const gadget = (id: string, site_id: string): [string, ParsedGadgetRow] => [
  id,
  {
    id,
    site_id,
    device_id: 'dev_1',
    name: '',
    created_at: 0,
    actions: [{ id: 'open', name: '' }],
    states: [],
    signals: [],
  },
];

const structureOf = (groups: Readonly<Record<string, readonly object[]>>): OrganizationWithoutMembers => ({
  devices: new Map(),
  gadgets: new Map([gadget('gad_1', 'site_1'), gadget('gad_2', 'site_2')]),
  gadgetsByDevice: new Map(),
  devicesByTargetGadget: new Map(),
  groups: new Map(
    Object.entries(groups).map(([id, permissions]) => [id, { id, permissions: permissions as PermissionRule[] }]),
  ),
  schedules: new Map([['sch_1', { id: 'sch_1', weekdays: '[]' }]]),
  sites: new Map(['site_1', 'site_2'].map(id => [id, { id, name: '', timezone: null, geo: null }])),
  triggers: [],
  unconfirmed: new Set(),
  peers: new Map(),
  certificates: new Map(),
});

const relevantGroupIds = (groups: Readonly<Record<string, readonly object[]>>, ...targets: string[]): string[] =>
  [...collectRelevantMemberGroups(structureOf(groups), targets)].toSorted();

describe('findRelevantGroups', () => {
  it('includes a group if one of its rules grants a target gadget', () => {
    const groups = {
      mg_all: [{}],
      mg_site: [{ site_id: 'site_1' }],
      mg_gadget: [{ gadget_id: 'gad_2' }, { gadget_id: 'gad_1', action_id: 'open', schedule_id: 'sch_1' }],
      mg_other: [{ gadget_id: 'gad_2' }, { site_id: 'site_2' }],
      mg_none: [],
    };
    expect(relevantGroupIds(groups, 'gad_1')).toEqual(['mg_all', 'mg_gadget', 'mg_site']);
    expect(relevantGroupIds(groups, 'gad_1', 'gad_2')).toEqual(['mg_all', 'mg_gadget', 'mg_other', 'mg_site']);
    expect(relevantGroupIds(groups, 'gad_gone')).toEqual([]);
  });

  it('ignores a rule that refers to a deleted object', () => {
    expect(
      relevantGroupIds(
        { mg_1: [{ schedule_id: 'sch_gone' }, { member_group_id: 'mg_gone' }, { site_id: 'site_gone' }] },
        'gad_1',
      ),
    ).toEqual([]);
    expect(relevantGroupIds({ mg_1: [{ gadget_id: 'gad_1', action_id: 'gone' }] }, 'gad_1')).toEqual([]);
  });

  it('narrows an inherited rule by the inheriting rule, and ends at a cycle', () => {
    const inherited = {
      mg_1: [{ member_group_id: 'mg_2', site_id: 'site_1' }],
      mg_2: [{ gadget_id: 'gad_1' }, { gadget_id: 'gad_2' }],
    };
    expect(relevantGroupIds(inherited, 'gad_1')).toEqual(['mg_1', 'mg_2']);
    expect(relevantGroupIds(inherited, 'gad_2')).toEqual(['mg_2']);
    const cycle = { mg_1: [{ member_group_id: 'mg_2' }], mg_2: [{ member_group_id: 'mg_1' }] };
    expect(relevantGroupIds(cycle, 'gad_1')).toEqual([]);
  });
});
