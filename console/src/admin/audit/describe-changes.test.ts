import { describe, expect, it } from 'vitest';
import { adminMessages } from '../messages/en.ts';
import { describeChanges } from './describe-changes.ts';

const context = {
  messages: adminMessages,
  locale: 'en-GB',
  formatTime: (iso: string) => iso.slice(0, 16).replace('T', ' '),
  doors: [{ id: 'gad_1', name: 'Gym', actions: [{ id: 'open', name: 'Open' }] }],
};
const names = { gad_1: 'Gym', sch_1: 'Night shift', tag_1: 'VIP', mg_1: 'Cleaning' };

const linesOf = (changes: object, verb = 'edit') =>
  describeChanges({ changes: changes as never, names, verb }, context);

describe('describeChanges', () => {
  it('gives dates, names and roles before and after', () => {
    expect(
      linesOf({
        ends_at: ['2026-11-21T10:00:00.000Z', '2026-11-19T07:58:00.000Z'],
        starts_at: [null, '2026-11-19T07:00:00.000Z'],
        name: ['Greta', 'Greta L.'],
        role: ['front_desk', 'viewer'],
        technicians_activate: [false, true],
      }),
    ).toEqual([
      'Until: 2026-11-21 10:00 → 2026-11-19 07:58',
      'From: no limit → 2026-11-19 07:00',
      'Name: Greta → Greta L.',
      'Role: Front desk → Viewer',
      'Technicians may activate controllers: no → yes',
    ]);
  });

  it('gives only what a new object has', () => {
    expect(linesOf({ name: [null, 'Greta'], ends_at: [null, '2026-11-21T10:00:00.000Z'] }, 'create')).toEqual([
      'Name: Greta',
      'Until: 2026-11-21 10:00',
    ]);
    expect(linesOf({ email: ['pepe@example.test', null] }, 'delete')).toEqual(['Email: pepe@example.test']);
  });

  it('gives the rules that were added and removed', () => {
    const gym = { gadget_id: 'gad_1', action_id: 'open', schedule_id: 'sch_1' };
    expect(linesOf({ permissions: [[gym, { member_group_id: 'mg_1' }], [{ ...gym, schedule_id: null }]] })).toEqual([
      'Rule removed: Members may use Gym (only “Open”), with any credential, during Night shift.',
      'Rule removed: Members may do what Cleaning may do, with any credential, at any time.',
      'Rule added: Members may use Gym (only “Open”), with any credential, at any time.',
    ]);
    expect(linesOf({ permissions: [[{ site_id: 'site_1' }], []] })).toEqual([
      'Rule removed: Members may use all doors of a deleted object, with any credential, at any time.',
    ]);
    expect(linesOf({ tag_ids: [[], ['tag_1']] })).toEqual(['Tag added: VIP']);
    const rule = { code: '*7', gadget_id: 'gad_1', action_id: 'open' };
    expect(linesOf({ input_rules: [[], [rule]] })).toEqual(['Input rule added: Code *7, then PIN or card: Open (Gym)']);
  });

  it('gives the times of a schedule and of a date', () => {
    const day = (start: number, end: number) => ({ ranges: [{ start, end }] });
    const closed = { ranges: [] };
    const week = (hours: object) => [hours, closed, closed, closed, closed, closed, closed];
    expect(linesOf({ weekdays: [week(day(28_800, 57_600)), week(closed)] })).toEqual([
      'Times: Mon 08:00–16:00 → Never',
    ]);
    expect(linesOf({ exception: [null, { date: '2036-12-25', name: 'Christmas', ranges: [] }] })).toEqual([
      'Exception: None → 25 Dec 2036, Christmas, No access',
    ]);
  });
});
