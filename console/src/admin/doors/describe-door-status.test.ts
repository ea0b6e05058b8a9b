import { describe, expect, it } from 'vitest';
import { adminMessages } from '../messages/en.ts';
import { describeDoorStatus } from './describe-door-status.ts';

const states = [
  { id: 'locked', name: 'Locked' },
  { id: 'unlocked', name: 'Unlocked' },
  { id: 'open', name: 'Open' },
];
const online = { status: { online: true } } as never;
const offline = { status: { online: false } } as never;
const since = '2026-11-19T09:02:00.000Z';
const unlocked = { since, by: { type: 'user', name: 'Admin' }, stays: true } as const;

const statusOf = (state_id: string, given: object = {}, { device = online, lostAt = null as string | null } = {}) =>
  describeDoorStatus(
    { door: { state_id, states }, device, lostAt, state: { state_id, unlocked: null, ...given } as never },
    adminMessages,
    iso => iso.slice(11, 16),
  );

describe('describeDoorStatus', () => {
  it('gives a locked or closed door no color', () => {
    expect(statusOf('locked')).toEqual({
      level: 'neutral',
      text: 'Locked',
      detail: null,
      isOnline: true,
      staysUnlocked: false,
    });
  });

  it('says since when and by whom a door is unlocked, also while it is open', () => {
    const detail = 'since 09:02 by Admin until it is locked';
    expect(statusOf('unlocked', { unlocked })).toMatchObject({ level: 'warning', text: 'Unlocked', detail });
    expect(statusOf('open', { unlocked })).toMatchObject({ level: 'warning', text: 'Open, unlocked', detail });
    expect(statusOf('open')).toMatchObject({ level: 'neutral', text: 'Open', detail: null });
    const passing = { unlocked: { since, by: null, stays: false } };
    expect(statusOf('unlocked', passing)).toMatchObject({ level: 'warning', detail: 'since 09:02' });
  });

  it('does not show an older state as the reason of a newer one', () => {
    expect(statusOf('locked', { state_id: 'unlocked', unlocked })).toMatchObject({ level: 'neutral', detail: null });
  });

  it('dates a state that may have changed', () => {
    const known_at = '2026-11-19T09:09:00.000Z';
    expect(statusOf('unlocked', { unlocked, known_at }, { device: offline })).toMatchObject({
      level: 'neutral',
      text: 'Offline',
      detail: 'Unlocked (last known 09:09)',
      isOnline: false,
    });
    expect(statusOf('unlocked', { unlocked }, { lostAt: '2026-11-19T09:20:00.000Z' })).toMatchObject({
      level: 'neutral',
      text: 'Unlocked',
      detail: 'last known 09:20',
      isOnline: false,
    });
  });
});
