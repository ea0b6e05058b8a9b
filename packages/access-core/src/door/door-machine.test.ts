import { describe, expect, it } from 'vitest';
import { monotonic } from '../monotonic.ts';
import { startDoor } from './door-machine.ts';
import { contact, door, exit, lock, open, play, timer, unlock } from './door-playback.test-support.ts';
import { doorStateId, nextDoorDeadline } from './door-state.ts';

describe('stepDoor', () => {
  describe('momentary unlock', () => {
    it('energizes the strike for the strike time and then releases it', () => {
      const { strike, states } = play(door(), [0, contact('closed')], [100, open], [5_099, timer], [5_100, timer]);
      expect(strike).toEqual([
        [100, 5_000],
        [5_100, 'off'],
      ]);
      expect(states).toEqual(['locked', 'unlocked', 'locked']);
    });

    it('is extended by a second grant, with one release at the end', () => {
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

    it('has one deadline after several grants', () => {
      const { state } = play(door(), [0, open], [1_000, open], [2_000, exit]);
      expect(nextDoorDeadline(state)).toBe(7_000);
    });

    it('requested exactly at the end of the previous one releases and energizes again', () => {
      const { strike } = play(door(), [0, open], [5_000, open]);
      expect(strike).toEqual([
        [0, 5_000],
        [5_000, 'off'],
        [5_000, 5_000],
      ]);
    });

    it('ends when the door opens, if it relocks on open', () => {
      const config = door({ relock_on: 'open' });
      const { strike } = play(config, [0, contact('closed')], [0, open], [1_000, contact('open')], [5_000, timer]);
      expect(strike).toEqual([
        [0, 5_000],
        [1_000, 'off'],
      ]);
    });

    it('ends when the door closes again, if it relocks on close', () => {
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

    it('ends after the strike time if the door never moves, whatever it relocks on', () => {
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

    it('is started by the exit button, with a signal', () => {
      const { strike, signals } = play(door(), [10, exit]);
      expect(strike).toEqual([[10, 5_000]]);
      expect(signals).toEqual([[10, 'exit_button']]);
    });

    it('is not started by an exit button that is not configured', () => {
      const { strike, signals } = play(door({ exit_button: false }), [10, exit]);
      expect([strike, signals]).toEqual([[], []]);
    });
  });

  describe('permanent unlock', () => {
    it('keeps the strike energized without a pulse until the door is locked', () => {
      const { strike, states } = play(door(), [0, contact('closed')], [1, unlock], [99_000, timer], [99_001, lock]);
      expect(strike).toEqual([
        [1, null],
        [99_001, 'off'],
      ]);
      expect(states).toEqual(['locked', 'unlocked', 'locked']);
    });

    it('is ended neither by an earlier momentary unlock nor by a later grant', () => {
      const { strike } = play(door(), [0, open], [1_000, unlock], [2_000, open], [5_000, timer], [60_000, timer]);
      expect(strike).toEqual([
        [0, 5_000],
        [1_000, null],
      ]);
    });

    it('suppresses the held-open alarm, whose time starts when the door is locked', () => {
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

    it('clears a forced-open alarm', () => {
      const { state_id, feedback } = play(door(), [0, contact('closed')], [10, contact('open')], [20, unlock]);
      expect(state_id).toBe('open');
      expect(feedback).toEqual([
        [10, 'forced'],
        [20, 'quiet'],
      ]);
    });

    it('is restored after a restart that kept the mode', () => {
      const { effects, state } = startDoor(door(), 'unlocked', monotonic(0));
      expect(effects).toContainEqual({ type: 'energize_strike', pulse_ms: null });
      expect(doorStateId(door(), state)).toBe('unlocked');
    });
  });

  it('reports everything in order with its original time when its timer is late', () => {
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
});
