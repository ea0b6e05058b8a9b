import { describe, expect, it } from 'vitest';
import { monotonic } from '../monotonic.ts';
import { startDoor } from './door-machine.ts';
import { contact, door, exit, open, play, timer } from './door-playback.test-support.ts';
import { doorStateId, nextDoorDeadline } from './door-state.ts';

describe('forced-open alarm', () => {
  it('is raised when the door opens without a grant', () => {
    const { signals, state_id } = play(door(), [0, contact('closed')], [10, contact('open')]);
    expect(signals).toEqual([[10, 'forced']]);
    expect(state_id).toBe('forced');
  });

  it('is not raised when the door opens after the exit button', () => {
    expect(play(door(), [0, contact('closed')], [10, exit], [20, contact('open')]).state_id).toBe('open');
  });

  it('is not raised when the door opens within the grace time after relocking', () => {
    const opensAt = (at: number) => play(door(), [0, contact('closed')], [0, open], [at, contact('open')]).state_id;
    expect([opensAt(4_999), opensAt(5_000), opensAt(6_999), opensAt(7_000)]).toEqual([
      'open',
      'open',
      'open',
      'forced',
    ]);
  });

  it('is raised when the door opens again long after relocking on close', () => {
    const opensAt = (at: number) =>
      play(
        door({ relock_on: 'close' }),
        [0, contact('closed')],
        [0, open],
        [500, contact('open')],
        [1_000, contact('closed')],
        [at, contact('open')],
      ).state_id;
    expect([opensAt(2_999), opensAt(3_000)]).toEqual(['open', 'forced']);
  });

  it('is not raised when the alarm is disabled', () => {
    expect(play(door({ forced_alarm: false }), [0, contact('closed')], [10, contact('open')]).state_id).toBe('open');
  });

  it('stays active after a grant and is cleared by closing the door', () => {
    const { states } = play(door(), [0, contact('closed')], [10, contact('open')], [20, open], [30, contact('closed')]);
    expect(states).toEqual(['locked', 'forced', 'unlocked']);
  });

  it('stays active when the contact wire is cut', () => {
    const { state_id, signals } = play(door(), [0, contact('closed')], [10, contact('open')], [20, contact('unknown')]);
    expect(state_id).toBe('forced');
    expect(signals).toEqual([
      [10, 'forced'],
      [20, 'contact_fault'],
    ]);
  });
});

describe('door contact', () => {
  it('is a level: repeating the same level changes nothing', () => {
    const once = play(door(), [0, contact('closed')], [0, open], [10, contact('open')]);
    const often = play(
      door(),
      [0, contact('closed')],
      [0, contact('closed')],
      [0, open],
      [10, contact('open')],
      [11, contact('open')],
      [12, contact('open')],
    );
    expect(often).toEqual(once);
  });

  it('leaves the door state unknown after power-up until it reports', () => {
    const { state, effects } = startDoor(door(), 'normal', monotonic(0));
    expect(effects).toEqual([{ type: 'release_strike' }, { type: 'report_state', state_id: 'unknown', at: 0 }]);
    expect(doorStateId(door(), state)).toBe('unknown');
  });

  it('open at power-up starts the held-open timer but is not a forced door', () => {
    const { signals, states } = play(door(), [10, contact('open')], [30_010, timer]);
    expect(states).toEqual(['open', 'held_open']);
    expect(signals).toEqual([
      [20_010, 'pre_alarm'],
      [30_010, 'held_open'],
    ]);
  });

  it('open after a contact fault is not a forced door', () => {
    const { states } = play(door(), [0, contact('closed')], [10, contact('unknown')], [20, contact('open')]);
    expect(states).toEqual(['locked', 'unknown', 'open']);
  });

  it('failing stops the held-open timer', () => {
    const { signals } = play(door(), [0, contact('open')], [25_000, contact('unknown')], [40_000, timer]);
    expect(signals).toEqual([
      [20_000, 'pre_alarm'],
      [25_000, 'contact_fault'],
    ]);
  });

  it('is ignored when the configuration has none', () => {
    const { states, signals } = play(door({ contact: false }), [0, contact('closed')], [10, contact('open')]);
    expect([states, signals]).toEqual([[], []]);
  });
});

describe('held-open alarm', () => {
  const passage = [
    [0, contact('closed')],
    [0, open],
    [1_000, contact('open')],
  ] as const;

  it('is preceded by a warning', () => {
    const { signals, feedback, state_id } = play(door(), ...passage, [21_000, timer], [31_000, timer]);
    expect(signals).toEqual([
      [21_000, 'pre_alarm'],
      [31_000, 'held_open'],
    ]);
    expect(feedback).toEqual([
      [21_000, 'pre_alarm'],
      [31_000, 'held_open'],
    ]);
    expect(state_id).toBe('held_open');
  });

  it('comes without a warning when none is configured', () => {
    expect(play(door({ pre_alarm_ms: 0 }), ...passage, [31_000, timer]).signals).toEqual([[31_000, 'held_open']]);
  });

  it('is not raised when the door closes in time, and the warning ends', () => {
    const { signals, feedback, state } = play(door(), ...passage, [30_999, contact('closed')], [90_000, timer]);
    expect(signals).toEqual([[21_000, 'pre_alarm']]);
    expect(feedback).toEqual([
      [30_999, 'pre_alarm'],
      [30_999, 'quiet'],
    ]);
    expect(nextDoorDeadline(state)).toBeNull();
  });

  it('is raised and cleared when the door closes in the millisecond of the deadline', () => {
    const { signals, state_id } = play(door(), ...passage, [31_000, contact('closed')]);
    expect(signals.at(-1)).toEqual([31_000, 'held_open']);
    expect(state_id).toBe('locked');
  });

  it('restarts its timer when another guest is granted access', () => {
    const { signals } = play(door(), ...passage, [20_000, open], [49_999, timer], [50_000, timer]);
    expect(signals).toEqual([
      [40_000, 'pre_alarm'],
      [50_000, 'held_open'],
    ]);
  });

  it('stays active after a grant until the door closes', () => {
    const { state_id, state } = play(door(), ...passage, [31_000, timer], [32_000, open], [37_000, timer]);
    expect(state_id).toBe('held_open');
    expect(nextDoorDeadline(state)).toBeNull();
  });
});
