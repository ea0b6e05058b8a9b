import type { GadgetResponse } from '@lintel/wire-protocol/rest/gadget';
import type { MemberGroupResponse } from '@lintel/wire-protocol/rest/member-group';
import { describe, expect, it } from 'vitest';
import {
  createSingleDoorPermission,
  findSingleDoorMemberGroup,
  listSingleDoorChoices,
} from './single-door-member-groups.ts';

const group = (id: string, permissions: object[], name = id) =>
  ({ id, name, permissions }) as unknown as MemberGroupResponse;
const doors = ['gad_1', 'gad_2'].map(
  id => ({ id, name: id, actions: [{ id: 'open' }, { id: 'unlock' }] }) as unknown as GadgetResponse,
);
const open = { gadget_id: 'gad_1', action_id: 'open' };
const groupIds = (groups: readonly MemberGroupResponse[], canCreate: boolean) =>
  listSingleDoorChoices(doors, groups, canCreate).map(({ groupId }) => groupId);

describe('listSingleDoorChoices', () => {
  it('uses a group that only opens this door, at any time', () => {
    expect(groupIds([group('mg_1', [open])], true)).toEqual(['mg_1', null]);
    expect(groupIds([group('mg_1', [{ ...open, presence: 'none' }])], false)).toEqual(['mg_1']);
  });

  it('leaves out a door that is offered as a group', () => {
    expect(groupIds([group('mg_1', [{ gadget_id: 'gad_1' }])], true)).toEqual([null]);
    expect(groupIds([group('mg_1', [open, { gadget_id: 'gad_2' }], 'gad_1')], true)).toEqual([null]);
  });

  it('gives a gadget that cannot be opened with all of its actions', () => {
    const lamp = { id: 'gad_3', name: 'Lamp', actions: [{ id: 'on' }] } as unknown as GadgetResponse;
    expect(createSingleDoorPermission(lamp)).toEqual({ gadget_id: 'gad_3' });
    expect(createSingleDoorPermission(doors[0]!)).toEqual(open);
    expect(findSingleDoorMemberGroup([group('mg_1', [{ gadget_id: 'gad_3' }])], lamp)?.id).toBe('mg_1');
  });

  it('ignores groups with more doors or with restrictions', () => {
    const other = [
      group('mg_1', [open, { gadget_id: 'gad_2' }]),
      group('mg_2', [{ ...open, schedule_id: 'sch_1' }]),
      group('mg_3', [{}]),
      group('mg_4', []),
    ];
    expect(groupIds(other, true)).toEqual([null, null]);
    expect(groupIds(other, false)).toEqual([]);
  });
});
