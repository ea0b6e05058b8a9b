import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { monotonic } from '../monotonic-time.ts';
import type { ActionStep, OutputInterlock } from './action-steps.ts';
import {
  nextStepRunnerDeadline,
  type StepRunnerInput,
  createInitialRunnerStep,
  advanceStepRunner,
} from './step-runner.ts';
import { iterations } from '@lintel/test/support/test-iterations-and-seed';

const on = (output: string): ActionStep => ({ step: 'on', output });
const off = (output: string): ActionStep => ({ step: 'off', output });
const pulse = (output: string, ms: number): ActionStep => ({ step: 'pulse', output, ms });
const wait = (ms: number): ActionStep => ({ step: 'wait', ms });
const start = (...steps: ActionStep[]): StepRunnerInput => ({ type: 'start', steps });

const motor: readonly OutputInterlock[] = [{ outputs: ['up', 'down'], dead_ms: 500 }];

type Reported = readonly [at: number, what: string];

/** Runs the timer `late` milliseconds after each deadline. */
const play = (
  interlocks: readonly OutputInterlock[],
  inputs: readonly (readonly [number, StepRunnerInput])[],
  { until = 100_000, late = 0 } = {},
): Reported[] => {
  let { state } = createInitialRunnerStep(['up', 'down', 'light'], monotonic(-10_000));
  const reported: Reported[] = [];
  const take = (input: StepRunnerInput, at: number): void => {
    const step = advanceStepRunner(interlocks, state, input, monotonic(at));
    state = step.state;
    for (const effect of step.effects)
      reported.push([
        at,
        effect.type === 'output_on' ? `${effect.output} on ${effect.pulse_ms}` : `${effect.output} off`,
      ]);
  };
  const wakeUntil = (at: number): void => {
    for (;;) {
      const deadline = nextStepRunnerDeadline(state);
      if (deadline === null || deadline + late > at) return;
      take({ type: 'timer' }, deadline + late);
    }
  };
  for (const [at, input] of inputs) {
    wakeUntil(at);
    take(input, at);
  }
  wakeUntil(until);
  return reported;
};

describe('action steps', () => {
  it('run in order, with the waits between them', () => {
    expect(play([], [[0, start(on('light'), wait(300), off('light'), wait(200), on('up'))]])).toEqual([
      [0, 'light on null'],
      [300, 'light off'],
      [500, 'up on null'],
    ]);
  });

  it('continue after starting a pulse without waiting for its end', () => {
    expect(play([], [[0, start(pulse('light', 1_000), wait(10), pulse('up', 50))]])).toEqual([
      [0, 'light on 1000'],
      [10, 'up on 50'],
      [60, 'up off'],
      [1_000, 'light off'],
    ]);
  });

  it('extend a pulse with a second one, and end it once', () => {
    const lamp = start(pulse('light', 1_000));
    expect(
      play(
        [],
        [
          [0, lamp],
          [600, lamp],
        ],
      ),
    ).toEqual([
      [0, 'light on 1000'],
      [600, 'light on 1000'],
      [1_600, 'light off'],
    ]);
  });

  it('do not switch an output that is on already', () => {
    expect(
      play(
        [],
        [
          [0, start(on('light'))],
          [5, start(on('light'))],
          [9, start(off('up'))],
        ],
      ),
    ).toEqual([[0, 'light on null']]);
  });

  it('turn a pulse into a permanent output by "on"', () => {
    expect(
      play(
        [],
        [
          [0, start(pulse('light', 100))],
          [50, start(on('light'))],
        ],
      ),
    ).toEqual([
      [0, 'light on 100'],
      [50, 'light on null'],
    ]);
  });

  it('are replaced by another action, which leaves no output on that they would have switched off', () => {
    const blink = start(on('light'), wait(1_000), off('light'), wait(1_000), on('up'));
    expect(
      play(
        [],
        [
          [0, blink],
          [400, start(on('down'))],
        ],
      ),
    ).toEqual([
      [0, 'light on null'],
      [400, 'light off'],
      [400, 'down on null'],
    ]);
  });

  it('continue without a gap when the same action is requested again', () => {
    const timed = start(on('light'), wait(1_000), off('light'));
    expect(
      play(
        [],
        [
          [0, timed],
          [400, timed],
        ],
      ),
    ).toEqual([
      [0, 'light on null'],
      [1_400, 'light off'],
    ]);
  });
});

describe('interlocked outputs', () => {
  it('turn on only after the other output is off and the dead time is over', () => {
    expect(
      play(motor, [
        [0, start(on('up'))],
        [1_000, start(on('down'))],
      ]),
    ).toEqual([
      [0, 'up on null'],
      [1_000, 'up off'],
      [1_500, 'down on null'],
    ]);
  });

  it('wait only for the remaining dead time when the other output went off earlier', () => {
    expect(
      play(motor, [
        [0, start(pulse('up', 1_000))],
        [1_200, start(on('down'))],
      ]),
    ).toEqual([
      [0, 'up on 1000'],
      [1_000, 'up off'],
      [1_500, 'down on null'],
    ]);
  });

  it('stay off when the action is stopped within the dead time', () => {
    expect(
      play(motor, [
        [0, start(on('up'))],
        [1_000, start(on('down'))],
        [1_200, start(off('up'), off('down'))],
      ]),
    ).toEqual([
      [0, 'up on null'],
      [1_000, 'up off'],
    ]);
  });

  it('turn on again in the same direction without dead time', () => {
    expect(
      play(motor, [
        [0, start(on('up'))],
        [100, start(off('up'))],
        [101, start(on('up'))],
      ]),
    ).toEqual([
      [0, 'up on null'],
      [100, 'up off'],
      [101, 'up on null'],
    ]);
  });

  it('measure the dead time from the actual switching time when the timer was late', () => {
    const reversal = start(pulse('up', 100), wait(1_000), on('down'));
    expect(play(motor, [[0, reversal]], { late: 950 })).toEqual([
      [0, 'up on 100'],
      [1_050, 'up off'],
      [2_500, 'down on null'],
    ]);
  });

  it('wait for the dead time after startup, because a motor may still be turning', () => {
    const { state, effects } = createInitialRunnerStep(['up', 'down'], monotonic(0));
    expect(effects).toEqual([
      { type: 'output_off', output: 'up' },
      { type: 'output_off', output: 'down' },
    ]);
    const step = advanceStepRunner(motor, state, start(on('up')), monotonic(100));
    expect(step.effects).toEqual([]);
    expect(nextStepRunnerDeadline(step.state)).toBe(500);
  });

  const steps = fc.oneof(
    fc.constantFrom('up', 'down', 'light').map(on),
    fc.constantFrom('up', 'down', 'light').map(off),
    fc
      .tuple(fc.constantFrom('up', 'down', 'light'), fc.integer({ min: 1, max: 1_500 }))
      .map(([output, ms]) => pulse(output, ms)),
    fc.integer({ min: 1, max: 1_500 }).map(wait),
  );
  const actions = fc.array(fc.tuple(fc.integer({ min: 0, max: 2_000 }), fc.array(steps, { maxLength: 6 })), {
    minLength: 1,
    maxLength: 15,
  });

  it('are never on together or within the dead time, for random actions and late timers', () => {
    fc.assert(
      fc.property(actions, fc.constantFrom(0, 1, 400, 5_000), (sequence, late) => {
        let now = 0;
        const inputs = sequence.map(([pause, list]) => [(now += pause), start(...list)] as const);
        const isOn = new Set<string>();
        const offAt = new Map<string, number>();
        for (const [at, what] of play(motor, inputs, { until: now + 100_000, late })) {
          const [output = '', level] = what.split(' ');
          if (output === 'light') continue;
          const partner = output === 'up' ? 'down' : 'up';
          if (level === 'off') {
            isOn.delete(output);
            offAt.set(output, at);
            continue;
          }
          isOn.add(output);
          expect(isOn.has(partner)).toBe(false);
          expect(at - (offAt.get(partner) ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(500);
        }
      }),
      { numRuns: iterations({ sample: 200, all: 2_000 }) },
    );
  });

  it('come to rest: every action finishes and every pulse ends', () => {
    fc.assert(
      fc.property(actions, sequence => {
        let { state } = createInitialRunnerStep(['up', 'down', 'light'], monotonic(0));
        let now = 0;
        for (const [pause, list] of sequence) {
          now += pause;
          state = advanceStepRunner(motor, state, start(...list), monotonic(now)).state;
        }
        for (let wakes = 0; wakes < 100; wakes++) {
          const deadline = nextStepRunnerDeadline(state);
          if (deadline === null) break;
          state = advanceStepRunner(motor, state, { type: 'timer' }, monotonic(Math.max(now, deadline))).state;
        }
        expect(nextStepRunnerDeadline(state)).toBeNull();
        expect(state.steps).toEqual([]);
      }),
    );
  });
});
