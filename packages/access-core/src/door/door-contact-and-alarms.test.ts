import { describe, expect, it } from 'vitest';
import { monotonic } from '../monotonic-time.ts';
import { createInitialDoorStep } from './door-machine.ts';
import {
  createContactDoorInput,
  createDoorConfig,
  exitButtonDoorInput,
  openActionDoorInput,
  playDoorInputs,
  timerDoorInput,
} from './door-playback.test-support.ts';
import { computeDoorStateId, nextDoorDeadline } from './door-state.ts';

describe('forced-open alarm', () => {
  it('is raised when the door opens without a grant', () => {
    const { signals, state_id } = playDoorInputs(
      createDoorConfig(),
      [0, createContactDoorInput('closed')],
      [10, createContactDoorInput('open')],
    );
    expect(signals).toEqual([[10, 'forced']]);
    expect(state_id).toBe('forced');
  });

  it('is not raised when the door opens after the exit button', () => {
    expect(
      playDoorInputs(
        createDoorConfig(),
        [0, createContactDoorInput('closed')],
        [10, exitButtonDoorInput],
        [20, createContactDoorInput('open')],
      ).state_id,
    ).toBe('open');
  });

  it('is not raised when the door opens within the grace time after relocking', () => {
    const opensAt = (at: number) =>
      playDoorInputs(
        createDoorConfig(),
        [0, createContactDoorInput('closed')],
        [0, openActionDoorInput],
        [at, createContactDoorInput('open')],
      ).state_id;
    expect([opensAt(4_999), opensAt(5_000), opensAt(6_999), opensAt(7_000)]).toEqual([
      'open',
      'open',
      'open',
      'forced',
    ]);
  });

  it('is raised when the door opens again long after relocking on close', () => {
    const opensAt = (at: number) =>
      playDoorInputs(
        createDoorConfig({ relock_on: 'close' }),
        [0, createContactDoorInput('closed')],
        [0, openActionDoorInput],
        [500, createContactDoorInput('open')],
        [1_000, createContactDoorInput('closed')],
        [at, createContactDoorInput('open')],
      ).state_id;
    expect([opensAt(2_999), opensAt(3_000)]).toEqual(['open', 'forced']);
  });

  it('is not raised when the alarm is disabled', () => {
    expect(
      playDoorInputs(
        createDoorConfig({ forced_alarm: false }),
        [0, createContactDoorInput('closed')],
        [10, createContactDoorInput('open')],
      ).state_id,
    ).toBe('open');
  });

  it('stays active after a grant and is cleared by closing the door', () => {
    const { states } = playDoorInputs(
      createDoorConfig(),
      [0, createContactDoorInput('closed')],
      [10, createContactDoorInput('open')],
      [20, openActionDoorInput],
      [30, createContactDoorInput('closed')],
    );
    expect(states).toEqual(['locked', 'forced', 'unlocked']);
  });

  it('stays active when the contact wire is cut', () => {
    const { state_id, signals } = playDoorInputs(
      createDoorConfig(),
      [0, createContactDoorInput('closed')],
      [10, createContactDoorInput('open')],
      [20, createContactDoorInput('unknown')],
    );
    expect(state_id).toBe('forced');
    expect(signals).toEqual([
      [10, 'forced'],
      [20, 'contact_fault'],
    ]);
  });
});

describe('door contact', () => {
  it('is a level: repeating the same level changes nothing', () => {
    const once = playDoorInputs(
      createDoorConfig(),
      [0, createContactDoorInput('closed')],
      [0, openActionDoorInput],
      [10, createContactDoorInput('open')],
    );
    const often = playDoorInputs(
      createDoorConfig(),
      [0, createContactDoorInput('closed')],
      [0, createContactDoorInput('closed')],
      [0, openActionDoorInput],
      [10, createContactDoorInput('open')],
      [11, createContactDoorInput('open')],
      [12, createContactDoorInput('open')],
    );
    expect(often).toEqual(once);
  });

  it('leaves the door state unknown after power-up until it reports', () => {
    const { state, effects } = createInitialDoorStep(createDoorConfig(), 'normal', monotonic(0));
    expect(effects).toEqual([{ type: 'release_strike' }, { type: 'report_state', state_id: 'unknown', at: 0 }]);
    expect(computeDoorStateId(createDoorConfig(), state)).toBe('unknown');
  });

  it('open at power-up starts the held-open timer but is not a forced door', () => {
    const { signals, states } = playDoorInputs(
      createDoorConfig(),
      [10, createContactDoorInput('open')],
      [30_010, timerDoorInput],
    );
    expect(states).toEqual(['open', 'held_open']);
    expect(signals).toEqual([
      [20_010, 'pre_alarm'],
      [30_010, 'held_open'],
    ]);
  });

  it('open after a contact fault is not a forced door', () => {
    const { states } = playDoorInputs(
      createDoorConfig(),
      [0, createContactDoorInput('closed')],
      [10, createContactDoorInput('unknown')],
      [20, createContactDoorInput('open')],
    );
    expect(states).toEqual(['locked', 'unknown', 'open']);
  });

  it('failing stops the held-open timer', () => {
    const { signals } = playDoorInputs(
      createDoorConfig(),
      [0, createContactDoorInput('open')],
      [25_000, createContactDoorInput('unknown')],
      [40_000, timerDoorInput],
    );
    expect(signals).toEqual([
      [20_000, 'pre_alarm'],
      [25_000, 'contact_fault'],
    ]);
  });

  it('is ignored when the configuration has none', () => {
    const { states, signals } = playDoorInputs(
      createDoorConfig({ contact: false }),
      [0, createContactDoorInput('closed')],
      [10, createContactDoorInput('open')],
    );
    expect([states, signals]).toEqual([[], []]);
  });
});

describe('held-open alarm', () => {
  const passage = [
    [0, createContactDoorInput('closed')],
    [0, openActionDoorInput],
    [1_000, createContactDoorInput('open')],
  ] as const;

  it('is preceded by a warning', () => {
    const { signals, feedback, state_id } = playDoorInputs(
      createDoorConfig(),
      ...passage,
      [21_000, timerDoorInput],
      [31_000, timerDoorInput],
    );
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
    expect(playDoorInputs(createDoorConfig({ pre_alarm_ms: 0 }), ...passage, [31_000, timerDoorInput]).signals).toEqual(
      [[31_000, 'held_open']],
    );
  });

  it('is not raised when the door closes in time, and the warning ends', () => {
    const { signals, feedback, state } = playDoorInputs(
      createDoorConfig(),
      ...passage,
      [30_999, createContactDoorInput('closed')],
      [90_000, timerDoorInput],
    );
    expect(signals).toEqual([[21_000, 'pre_alarm']]);
    expect(feedback).toEqual([
      [30_999, 'pre_alarm'],
      [30_999, 'quiet'],
    ]);
    expect(nextDoorDeadline(state)).toBeNull();
  });

  it('is raised and cleared when the door closes in the millisecond of the deadline', () => {
    const { signals, state_id } = playDoorInputs(createDoorConfig(), ...passage, [
      31_000,
      createContactDoorInput('closed'),
    ]);
    expect(signals.at(-1)).toEqual([31_000, 'held_open']);
    expect(state_id).toBe('locked');
  });

  it('restarts its timer when another guest is granted access', () => {
    const { signals } = playDoorInputs(
      createDoorConfig(),
      ...passage,
      [20_000, openActionDoorInput],
      [49_999, timerDoorInput],
      [50_000, timerDoorInput],
    );
    expect(signals).toEqual([
      [40_000, 'pre_alarm'],
      [50_000, 'held_open'],
    ]);
  });

  it('stays active after a grant until the door closes', () => {
    const { state_id, state } = playDoorInputs(
      createDoorConfig(),
      ...passage,
      [31_000, timerDoorInput],
      [32_000, openActionDoorInput],
      [37_000, timerDoorInput],
    );
    expect(state_id).toBe('held_open');
    expect(nextDoorDeadline(state)).toBeNull();
  });
});
