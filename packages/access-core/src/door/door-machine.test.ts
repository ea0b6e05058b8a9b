import { describe, expect, it } from 'vitest';
import { monotonic } from '../monotonic-time.ts';
import { createInitialDoorStep } from './door-machine.ts';
import {
  createContactDoorInput,
  createDoorConfig,
  exitButtonDoorInput,
  lockDoorInput,
  openActionDoorInput,
  playDoorInputs,
  timerDoorInput,
  unlockDoorInput,
} from './door-playback.test-support.ts';
import { computeDoorStateId, nextDoorDeadline } from './door-state.ts';

describe('stepDoor', () => {
  describe('momentary unlock', () => {
    it('energizes the strike for the strike time and then releases it', () => {
      const { strike, states } = playDoorInputs(
        createDoorConfig(),
        [0, createContactDoorInput('closed')],
        [100, openActionDoorInput],
        [5_099, timerDoorInput],
        [5_100, timerDoorInput],
      );
      expect(strike).toEqual([
        [100, 5_000],
        [5_100, 'off'],
      ]);
      expect(states).toEqual(['locked', 'unlocked', 'locked']);
    });

    it('is extended by a second grant, with one release at the end', () => {
      const { strike } = playDoorInputs(
        createDoorConfig(),
        [0, openActionDoorInput],
        [3_000, openActionDoorInput],
        [5_000, timerDoorInput],
        [7_999, timerDoorInput],
        [8_000, timerDoorInput],
        [9_000, timerDoorInput],
      );
      expect(strike).toEqual([
        [0, 5_000],
        [3_000, 5_000],
        [8_000, 'off'],
      ]);
    });

    it('has one deadline after several grants', () => {
      const { state } = playDoorInputs(
        createDoorConfig(),
        [0, openActionDoorInput],
        [1_000, openActionDoorInput],
        [2_000, exitButtonDoorInput],
      );
      expect(nextDoorDeadline(state)).toBe(7_000);
    });

    it('requested exactly at the end of the previous one releases and energizes again', () => {
      const { strike } = playDoorInputs(createDoorConfig(), [0, openActionDoorInput], [5_000, openActionDoorInput]);
      expect(strike).toEqual([
        [0, 5_000],
        [5_000, 'off'],
        [5_000, 5_000],
      ]);
    });

    it('ends when the door opens, if it relocks on open', () => {
      const config = createDoorConfig({ relock_on: 'open' });
      const { strike } = playDoorInputs(
        config,
        [0, createContactDoorInput('closed')],
        [0, openActionDoorInput],
        [1_000, createContactDoorInput('open')],
        [5_000, timerDoorInput],
      );
      expect(strike).toEqual([
        [0, 5_000],
        [1_000, 'off'],
      ]);
    });

    it('ends when the door closes again, if it relocks on close', () => {
      const config = createDoorConfig({ relock_on: 'close' });
      const { strike } = playDoorInputs(
        config,
        [0, createContactDoorInput('closed')],
        [0, openActionDoorInput],
        [1_000, createContactDoorInput('open')],
        [2_000, createContactDoorInput('closed')],
        [5_000, timerDoorInput],
      );
      expect(strike).toEqual([
        [0, 5_000],
        [2_000, 'off'],
      ]);
    });

    it('ends after the strike time if the door never moves, whatever it relocks on', () => {
      for (const relock_on of ['open', 'close'] as const)
        expect(
          playDoorInputs(
            createDoorConfig({ relock_on }),
            [0, createContactDoorInput('closed')],
            [0, openActionDoorInput],
            [5_000, timerDoorInput],
          ).strike,
        ).toEqual([
          [0, 5_000],
          [5_000, 'off'],
        ]);
    });

    it('ends at once on lock', () => {
      expect(
        playDoorInputs(createDoorConfig(), [0, openActionDoorInput], [1_000, lockDoorInput], [5_000, timerDoorInput])
          .strike,
      ).toEqual([
        [0, 5_000],
        [1_000, 'off'],
      ]);
    });

    it('is started by the exit button, with a signal', () => {
      const { strike, signals } = playDoorInputs(createDoorConfig(), [10, exitButtonDoorInput]);
      expect(strike).toEqual([[10, 5_000]]);
      expect(signals).toEqual([[10, 'exit_button']]);
    });

    it('is not started by an exit button that is not configured', () => {
      const { strike, signals } = playDoorInputs(createDoorConfig({ exit_button: false }), [10, exitButtonDoorInput]);
      expect([strike, signals]).toEqual([[], []]);
    });
  });

  describe('permanent unlock', () => {
    it('keeps the strike energized without a pulse until the door is locked', () => {
      const { strike, states } = playDoorInputs(
        createDoorConfig(),
        [0, createContactDoorInput('closed')],
        [1, unlockDoorInput],
        [99_000, timerDoorInput],
        [99_001, lockDoorInput],
      );
      expect(strike).toEqual([
        [1, null],
        [99_001, 'off'],
      ]);
      expect(states).toEqual(['locked', 'unlocked', 'locked']);
    });

    it('is ended neither by an earlier momentary unlock nor by a later grant', () => {
      const { strike } = playDoorInputs(
        createDoorConfig(),
        [0, openActionDoorInput],
        [1_000, unlockDoorInput],
        [2_000, openActionDoorInput],
        [5_000, timerDoorInput],
        [60_000, timerDoorInput],
      );
      expect(strike).toEqual([
        [0, 5_000],
        [1_000, null],
      ]);
    });

    it('suppresses the held-open alarm, whose time starts when the door is locked', () => {
      const { signals } = playDoorInputs(
        createDoorConfig(),
        [0, createContactDoorInput('closed')],
        [0, unlockDoorInput],
        [1_000, createContactDoorInput('open')],
        [100_000, lockDoorInput],
        [130_000, timerDoorInput],
      );
      expect(signals).toEqual([
        [120_000, 'pre_alarm'],
        [130_000, 'held_open'],
      ]);
    });

    it('clears a forced-open alarm', () => {
      const { state_id, feedback } = playDoorInputs(
        createDoorConfig(),
        [0, createContactDoorInput('closed')],
        [10, createContactDoorInput('open')],
        [20, unlockDoorInput],
      );
      expect(state_id).toBe('open');
      expect(feedback).toEqual([
        [10, 'forced'],
        [20, 'quiet'],
      ]);
    });

    it('is restored after a restart that kept the mode', () => {
      const { effects, state } = createInitialDoorStep(createDoorConfig(), 'unlocked', monotonic(0));
      expect(effects).toContainEqual({ type: 'energize_strike', pulse_ms: null });
      expect(computeDoorStateId(createDoorConfig(), state)).toBe('unlocked');
    });
  });

  it('reports everything in order with its original time when its timer is late', () => {
    const { signals, strike, states } = playDoorInputs(
      createDoorConfig(),
      [0, createContactDoorInput('closed')],
      [0, openActionDoorInput],
      [1_000, createContactDoorInput('open')],
      [500_000, timerDoorInput],
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
