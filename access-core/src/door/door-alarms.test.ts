import { describe, expect, it } from 'vitest';
import { monotonic } from '../monotonic.ts';
import { startDoor } from './door-machine.ts';
import { contact, door, exit, open, play, timer } from './door-playback.test-support.ts';
import { doorStateId, nextDoorDeadline } from './door-state.ts';

describe('a forced door', () => {
  it('is one that opens without a grant', () => {
    const { signals, state_id } = play(door(), [0, contact('closed')], [10, contact('open')]);
    expect(signals).toEqual([[10, 'forced']]);
    expect(state_id).toBe('forced');
  });

  it('is not one that opens after the exit button', () => {
    expect(play(door(), [0, contact('closed')], [10, exit], [20, contact('open')]).state_id).toBe('open');
  });

  it('is not one that opens within the grace after the relock', () => {
    const opensAt = (at: number) => play(door(), [0, contact('closed')], [0, open], [at, contact('open')]).state_id;
    expect([opensAt(4_999), opensAt(5_000), opensAt(6_999), opensAt(7_000)]).toEqual([
      'open',
      'open',
      'open',
      'forced',
    ]);
  });

  it('is one that opens again long after a relock by closing', () => {
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

  it('is no alarm where the alarm is switched off', () => {
    expect(play(door({ forced_alarm: false }), [0, contact('closed')], [10, contact('open')]).state_id).toBe('open');
  });

  it('stays one on a grant and is cleared by closing', () => {
    const { states } = play(door(), [0, contact('closed')], [10, contact('open')], [20, open], [30, contact('closed')]);
    expect(states).toEqual(['locked', 'forced', 'unlocked']);
  });

  it('stays one when the wire of the contact is cut', () => {
    const { state_id, signals } = play(door(), [0, contact('closed')], [10, contact('open')], [20, contact('unknown')]);
    expect(state_id).toBe('forced');
    expect(signals).toEqual([
      [10, 'forced'],
      [20, 'contact_fault'],
    ]);
  });
});

describe('the contact', () => {
  it('is a level: the same level again changes nothing', () => {
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

  it('leaves the state unknown after power-up until it speaks', () => {
    const { state, effects } = startDoor(door(), 'normal', monotonic(0));
    expect(effects).toEqual([{ type: 'release_strike' }, { type: 'report_state', state_id: 'unknown', at: 0 }]);
    expect(doorStateId(door(), state)).toBe('unknown');
  });

  it('that is open at power-up is not a forced door, but is timed', () => {
    const { signals, states } = play(door(), [10, contact('open')], [30_010, timer]);
    expect(states).toEqual(['open', 'held_open']);
    expect(signals).toEqual([
      [20_010, 'pre_alarm'],
      [30_010, 'held_open'],
    ]);
  });

  it('that comes back open after a fault is not a forced door', () => {
    const { states } = play(door(), [0, contact('closed')], [10, contact('unknown')], [20, contact('open')]);
    expect(states).toEqual(['locked', 'unknown', 'open']);
  });

  it('that fails stops the held-open time', () => {
    const { signals } = play(door(), [0, contact('open')], [25_000, contact('unknown')], [40_000, timer]);
    expect(signals).toEqual([
      [20_000, 'pre_alarm'],
      [25_000, 'contact_fault'],
    ]);
  });

  it('is ignored where none is fitted', () => {
    const { states, signals } = play(door({ contact: false }), [0, contact('closed')], [10, contact('open')]);
    expect([states, signals]).toEqual([[], []]);
  });
});

describe('a door held open', () => {
  const passage = [
    [0, contact('closed')],
    [0, open],
    [1_000, contact('open')],
  ] as const;

  it('warns before the alarm and then alarms', () => {
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

  it('alarms without a warning where none is set', () => {
    expect(play(door({ pre_alarm_ms: 0 }), ...passage, [31_000, timer]).signals).toEqual([[31_000, 'held_open']]);
  });

  it('is none when it closes in time, and the warning falls silent', () => {
    const { signals, feedback, state } = play(door(), ...passage, [30_999, contact('closed')], [90_000, timer]);
    expect(signals).toEqual([[21_000, 'pre_alarm']]);
    expect(feedback).toEqual([
      [30_999, 'pre_alarm'],
      [30_999, 'quiet'],
    ]);
    expect(nextDoorDeadline(state)).toBeNull();
  });

  it('alarms when it closes in the very millisecond of the deadline, and is then clear', () => {
    const { signals, state_id } = play(door(), ...passage, [31_000, contact('closed')]);
    expect(signals.at(-1)).toEqual([31_000, 'held_open']);
    expect(state_id).toBe('locked');
  });

  it('has its time anew when another guest is let in', () => {
    const { signals } = play(door(), ...passage, [20_000, open], [49_999, timer], [50_000, timer]);
    expect(signals).toEqual([
      [40_000, 'pre_alarm'],
      [50_000, 'held_open'],
    ]);
  });

  it('stays in alarm on a grant until it closes', () => {
    const { state_id, state } = play(door(), ...passage, [31_000, timer], [32_000, open], [37_000, timer]);
    expect(state_id).toBe('held_open');
    expect(nextDoorDeadline(state)).toBeNull();
  });
});
