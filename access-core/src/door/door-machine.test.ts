import { describe, expect, it } from 'vitest';
import { monotonic } from '../monotonic.ts';
import { startDoor } from './door-machine.ts';
import { contact, door, exit, lock, open, play, timer, unlock } from './door-playback.test-support.ts';
import { doorStateId, nextDoorDeadline } from './door-state.ts';

describe('a momentary opening', () => {
  it('energizes the strike for the strike time and releases it at the end', () => {
    const { strike, states } = play(door(), [0, contact('closed')], [100, open], [5_099, timer], [5_100, timer]);
    expect(strike).toEqual([
      [100, 5_000],
      [5_100, 'off'],
    ]);
    expect(states).toEqual(['locked', 'unlocked', 'locked']);
  });

  it('is extended by a second grant, with one release at the end of the second', () => {
    const { strike } = play(
      door(),
      [0, open],
      [3_000, open],
      [5_000, timer],
      [7_999, timer],
      [8_000, timer],
      [9_000, timer],
    );
    expect(strike).toEqual([
      [0, 5_000],
      [3_000, 5_000],
      [8_000, 'off'],
    ]);
  });

  it('has one deadline even after several grants', () => {
    const { state } = play(door(), [0, open], [1_000, open], [2_000, exit]);
    expect(nextDoorDeadline(state)).toBe(7_000);
  });

  it('that comes at the very end of the last one releases and energizes anew', () => {
    const { strike } = play(door(), [0, open], [5_000, open]);
    expect(strike).toEqual([
      [0, 5_000],
      [5_000, 'off'],
      [5_000, 5_000],
    ]);
  });

  it('ends as soon as the door opens when it relocks on open', () => {
    const config = door({ relock_on: 'open' });
    const { strike } = play(config, [0, contact('closed')], [0, open], [1_000, contact('open')], [5_000, timer]);
    expect(strike).toEqual([
      [0, 5_000],
      [1_000, 'off'],
    ]);
  });

  it('ends when the door closes behind the guest when it relocks on close', () => {
    const config = door({ relock_on: 'close' });
    const { strike } = play(
      config,
      [0, contact('closed')],
      [0, open],
      [1_000, contact('open')],
      [2_000, contact('closed')],
      [5_000, timer],
    );
    expect(strike).toEqual([
      [0, 5_000],
      [2_000, 'off'],
    ]);
  });

  it('ends after the strike time when the door never moves, whatever it relocks on', () => {
    for (const relock_on of ['open', 'close'] as const)
      expect(play(door({ relock_on }), [0, contact('closed')], [0, open], [5_000, timer]).strike).toEqual([
        [0, 5_000],
        [5_000, 'off'],
      ]);
  });

  it('ends at once on lock', () => {
    expect(play(door(), [0, open], [1_000, lock], [5_000, timer]).strike).toEqual([
      [0, 5_000],
      [1_000, 'off'],
    ]);
  });

  it('starts by the exit button, with a signal', () => {
    const { strike, signals } = play(door(), [10, exit]);
    expect(strike).toEqual([[10, 5_000]]);
    expect(signals).toEqual([[10, 'exit_button']]);
  });

  it('does not start by an exit button that is not fitted', () => {
    const { strike, signals } = play(door({ exit_button: false }), [10, exit]);
    expect([strike, signals]).toEqual([[], []]);
  });
});

describe('a door unlocked for good', () => {
  it('stays unlocked without a pulse until it is locked', () => {
    const { strike, states } = play(door(), [0, contact('closed')], [1, unlock], [99_000, timer], [99_001, lock]);
    expect(strike).toEqual([
      [1, null],
      [99_001, 'off'],
    ]);
    expect(states).toEqual(['locked', 'unlocked', 'locked']);
  });

  it('is not locked again by the end of an opening from before or by a grant in between', () => {
    const { strike } = play(door(), [0, open], [1_000, unlock], [2_000, open], [5_000, timer], [60_000, timer]);
    expect(strike).toEqual([
      [0, 5_000],
      [1_000, null],
    ]);
  });

  it('may stand open without an alarm, and has the held-open time from when it is locked', () => {
    const { signals } = play(
      door(),
      [0, contact('closed')],
      [0, unlock],
      [1_000, contact('open')],
      [100_000, lock],
      [130_000, timer],
    );
    expect(signals).toEqual([
      [120_000, 'pre_alarm'],
      [130_000, 'held_open'],
    ]);
  });

  it('ends a forced alarm', () => {
    const { state_id, feedback } = play(door(), [0, contact('closed')], [10, contact('open')], [20, unlock]);
    expect(state_id).toBe('open');
    expect(feedback).toEqual([
      [10, 'forced'],
      [20, 'quiet'],
    ]);
  });

  it('is unlocked again after a restart that kept the mode', () => {
    const { effects, state } = startDoor(door(), 'unlocked', monotonic(0));
    expect(effects).toContainEqual({ type: 'energize_strike', pulse_ms: null });
    expect(doorStateId(door(), state)).toBe('unlocked');
  });
});

it('tells a late owner what happened in its order and at its own time', () => {
  const { signals, strike, states } = play(
    door(),
    [0, contact('closed')],
    [0, open],
    [1_000, contact('open')],
    [500_000, timer],
  );
  expect(strike).toEqual([
    [0, 5_000],
    [500_000, 'off'],
  ]);
  expect(signals).toEqual([
    [21_000, 'pre_alarm'],
    [31_000, 'held_open'],
  ]);
  expect(states).toEqual(['locked', 'unlocked', 'open', 'held_open']);
});
