import type { ActionAccess } from '@lintel/wire-protocol/admin/effective-access';
import { describe, expect, it } from 'vitest';
import { adminMessages } from '../messages/en.ts';
import { describeAccessByDoor } from './describe-access-by-door.ts';

const context = {
  messages: adminMessages,
  locale: 'en',
  doors: [
    { id: 'gad_1', name: 'Room 101', actions: [{ id: 'open', name: 'Open' }] },
    {
      id: 'gad_2',
      name: 'Gate',
      actions: [
        { id: 'open', name: 'Open' },
        { id: 'hold', name: 'Hold open' },
      ],
    },
  ],
  schedules: [{ id: 'sch_1', name: 'Day' }],
  formatTime: (iso: string) => iso.slice(0, 10),
};

const access = (gadget_id: string, action_id: string, grant: object) =>
  ({
    gadget_id,
    action_id,
    grants: [{ access_methods: ['pin', 'card'], schedule_ids: [], starts_at: null, ends_at: null, ...grant }],
  }) as unknown as ActionAccess;

describe('describeAccessByDoor', () => {
  it('writes one sentence per door: when and how', () => {
    expect(
      describeAccessByDoor(
        [
          access('gad_1', 'open', { ends_at: '2026-11-18T10:00:00Z' }),
          access('gad_2', 'hold', { schedule_ids: ['sch_1'], access_methods: ['pin'] }),
        ],
        context,
      ),
    ).toEqual(['Gate (Hold open), during Day, PIN', 'Room 101, any time until 2026-11-18, PIN or card']);
  });

  it('names the actions of a door together, and no actions if all are granted', () => {
    const both = [access('gad_2', 'open', {}), access('gad_2', 'hold', {})];
    expect(describeAccessByDoor(both, context)).toEqual(['Gate, any time, PIN or card']);
    expect(describeAccessByDoor([...both, access('gad_2', 'open', { schedule_ids: ['sch_1'] })], context)).toEqual([
      'Gate (Open), during Day, PIN or card',
      'Gate, any time, PIN or card',
    ]);
  });

  it('writes the same access once', () => {
    const all = { access_methods: ['online', 'bluetooth', 'mobile_nfc', 'pin', 'card'] };
    expect(describeAccessByDoor([access('gad_1', 'open', all), access('gad_1', 'open', all)], context)).toEqual([
      'Room 101, any time, any credential',
    ]);
  });
});
