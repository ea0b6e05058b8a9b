import type { GadgetResponse } from '@lintel/wire-protocol/rest/gadget';
import type { MemberGroupResponse } from '@lintel/wire-protocol/rest/member-group';
import { describe, expect, it } from 'vitest';
import { listSingleDoorChoices } from './door-choices.ts';

const group = (id: string, permissions: object[]) => ({ id, permissions }) as unknown as MemberGroupResponse;
const doors = ['gad_1', 'gad_2'].map(id => ({ id, name: id }) as unknown as GadgetResponse);
const groupIds = (groups: readonly MemberGroupResponse[], canCreate: boolean) =>
  listSingleDoorChoices(doors, groups, canCreate).map(({ groupId }) => groupId);

describe('listSingleDoorChoices', () => {
  it('uses a group that grants exactly one door without restriction', () => {
    expect(groupIds([group('mg_1', [{ gadget_id: 'gad_1' }])], true)).toEqual(['mg_1', null]);
    expect(groupIds([group('mg_1', [{ gadget_id: 'gad_1', presence: 'none' }])], false)).toEqual(['mg_1']);
  });

  it('ignores groups with more doors or with restrictions', () => {
    const other = [
      group('mg_1', [{ gadget_id: 'gad_1' }, { gadget_id: 'gad_2' }]),
      group('mg_2', [{ gadget_id: 'gad_1', schedule_id: 'sch_1' }]),
      group('mg_3', [{}]),
      group('mg_4', []),
    ];
    expect(groupIds(other, true)).toEqual([null, null]);
    expect(groupIds(other, false)).toEqual([]);
  });
});
