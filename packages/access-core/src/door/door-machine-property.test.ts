import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { monotonic } from '../monotonic-time.ts';
import type { DoorConfig } from './door-config.ts';
import type { DoorEffect } from './door-effects.ts';
import { type DoorInput, stepDoor, createInitialDoorStep } from './door-machine.ts';
import { computeDoorStateId, nextDoorDeadline } from './door-state.ts';
import { iterations } from '@lintel/test/support/test-iterations-and-seed';

type Timed = readonly [at: number, input: DoorInput];
type Line = readonly [at: number, what: string];

const END = 120;

const configs: fc.Arbitrary<DoorConfig> = fc
  .record({
    strike_ms: fc.integer({ min: 1, max: 12 }),
    relock_on: fc.constantFrom('time', 'open', 'close'),
    contact: fc.boolean(),
    exit_button: fc.boolean(),
    held_open_ms: fc.option(fc.integer({ min: 4, max: 20 })),
    pre_alarm_ms: fc.integer({ min: 0, max: 3 }),
    forced_alarm: fc.boolean(),
    forced_grace_ms: fc.integer({ min: 0, max: 4 }),
    interlock_group: fc.constant(null),
    egress_ignores_interlock: fc.boolean(),
  })
  .map(config => (config.held_open_ms === null ? { ...config, pre_alarm_ms: 0 } : config));

const inputs: fc.Arbitrary<DoorInput> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<DoorInput>({ type: 'action', action: 'open' }) },
  fc.constantFrom<DoorInput>({ type: 'action', action: 'unlock' }, { type: 'action', action: 'lock' }),
  fc.constant<DoorInput>({ type: 'exit_button' }),
  {
    weight: 6,
    arbitrary: fc
      .constantFrom('open', 'closed', 'open', 'closed', 'unknown')
      .map(level => ({ type: 'contact', level }) as const),
  },
  fc.constant<DoorInput>({ type: 'timer' }),
);

const histories: fc.Arbitrary<readonly Timed[]> = fc
  .array(fc.tuple(fc.integer({ min: 0, max: END - 30 }), inputs), { maxLength: 25 })
  .map(history => history.toSorted((a, b) => a[0] - b[0]));

/**
 * Reference model: counts down millisecond by millisecond where the production code keeps deadlines. Records the strike,
 * the signals and the state at the end of each millisecond.
 */
const runReferenceModel = (config: DoorConfig, history: readonly Timed[]): Line[] => {
  const lines: Line[] = [];
  let strikeLeft = 0;
  let graceLeft = 0;
  let heldLeft = 0;
  let holding = false;
  let level: 'open' | 'closed' | 'unknown' = 'unknown';
  let alarm: 'none' | 'pre_alarm' | 'held_open' | 'forced' = 'none';

  const startHeld = (): void => {
    if (level !== 'open' || holding || config.held_open_ms === null || alarm === 'held_open' || alarm === 'forced')
      return;
    heldLeft = config.held_open_ms;
    alarm = 'none';
  };
  const release = (at: number): void => {
    strikeLeft = 0;
    holding = false;
    graceLeft = config.forced_grace_ms;
    lines.push([at, 'off']);
  };
  const grant = (at: number): void => {
    if (holding) return;
    const grantedThisMillisecond = strikeLeft === config.strike_ms;
    strikeLeft = config.strike_ms;
    if (!grantedThisMillisecond) lines.push([at, `on ${config.strike_ms}`]);
    startHeld();
  };
  const contact = (next: 'open' | 'closed' | 'unknown', at: number): void => {
    if (!config.contact || next === level) return;
    const before = level;
    level = next;
    if (next === 'unknown') {
      heldLeft = 0;
      if (alarm === 'pre_alarm') alarm = 'none';
      lines.push([at, 'contact_fault']);
    } else if (next === 'closed') {
      heldLeft = 0;
      alarm = 'none';
      if (before === 'open' && config.relock_on === 'close' && strikeLeft > 0) release(at);
    } else if (before === 'closed' && config.forced_alarm && strikeLeft === 0 && !holding && graceLeft === 0) {
      alarm = 'forced';
      lines.push([at, 'forced']);
    } else {
      startHeld();
      if (config.relock_on === 'open' && strikeLeft > 0) release(at);
    }
  };
  const take = (input: DoorInput, at: number): void => {
    if (input.type === 'contact') contact(input.level, at);
    if (input.type === 'exit_button' && config.exit_button) {
      lines.push([at, 'exit_button']);
      grant(at);
    }
    if (input.type !== 'action') return;
    if (input.action === 'open') grant(at);
    else if (input.action === 'unlock') {
      if (!holding) lines.push([at, 'on null']);
      holding = true;
      strikeLeft = 0;
      heldLeft = 0;
      alarm = 'none';
    } else if (holding) {
      release(at);
      startHeld();
    } else if (strikeLeft > 0) release(at);
  };
  const stateName = (): string => {
    if (alarm === 'forced' || alarm === 'held_open') return alarm;
    if (level === 'open') return 'open';
    if (holding || strikeLeft > 0) return 'unlocked';
    return config.contact && level === 'unknown' ? 'unknown' : 'locked';
  };

  for (let at = 0; at <= END; at++) {
    if (graceLeft > 0) graceLeft--;
    if (strikeLeft > 0 && --strikeLeft === 0) release(at);
    if (heldLeft > 0) {
      heldLeft--;
      if (config.pre_alarm_ms > 0 && heldLeft === config.pre_alarm_ms) {
        alarm = 'pre_alarm';
        lines.push([at, 'pre_alarm']);
      }
      if (heldLeft === 0) {
        alarm = 'held_open';
        lines.push([at, 'held_open']);
      }
    }
    for (const [when, input] of history) if (when === at) take(input, at);
    lines.push([at, `is ${stateName()}`]);
  }
  return lines;
};

const lineOf = (at: number, effect: DoorEffect): Line[] => {
  if (effect.type === 'energize_strike') return [[at, `on ${effect.pulse_ms}`]];
  if (effect.type === 'release_strike') return [[at, 'off']];
  return effect.type === 'signal' ? [[effect.at, effect.signal_id]] : [];
};

/** Runs the production code with a timer that fires at each deadline. */
const runMachine = (config: DoorConfig, history: readonly Timed[]): Line[] => {
  const lines: Line[] = [];
  let { state } = createInitialDoorStep(config, 'normal', monotonic(0));
  const take = (input: DoorInput, at: number): void => {
    const step = stepDoor(config, state, input, monotonic(at));
    state = step.state;
    lines.push(...step.effects.flatMap(effect => lineOf(at, effect)));
  };
  for (let at = 0; at <= END; at++) {
    if (nextDoorDeadline(state) === at) take({ type: 'timer' }, at);
    for (const [when, input] of history) if (when === at) take(input, at);
    lines.push([at, `is ${computeDoorStateId(config, state)}`]);
  }
  return lines;
};

const RUNS = { numRuns: iterations({ sample: 200, all: 2_000 }) };

describe('stepDoor on random histories', () => {
  it('agrees with the millisecond-by-millisecond reference model', () => {
    fc.assert(
      fc.property(configs, histories, (config, history) => {
        expect(runMachine(config, history)).toEqual(runReferenceModel(config, history));
      }),
      RUNS,
    );
  });

  it('produces the same effects in the same order whether timers are late or on time', () => {
    const effectsOf = (config: DoorConfig, history: readonly Timed[]): DoorEffect[] => {
      let { state } = createInitialDoorStep(config, 'normal', monotonic(0));
      return history.flatMap(([at, input]) => {
        const step = stepDoor(config, state, input, monotonic(at));
        state = step.state;
        return step.effects;
      });
    };
    fc.assert(
      fc.property(configs, histories, (config, history) => {
        const late: Timed[] = [...history, [END, { type: 'timer' }]];
        const everyMillisecond = Array.from({ length: END + 1 }, (_, at): Timed => [at, { type: 'timer' }]);
        const punctual = [...everyMillisecond, ...history].sort((a, b) => a[0] - b[0]);
        expect(effectsOf(config, late)).toEqual(effectsOf(config, punctual));
      }),
      RUNS,
    );
  });

  it('never keeps the strike on beyond the last grant plus the strike time, and releases it exactly once', () => {
    const momentary = histories.map(history =>
      history.filter(([, input]) => input.type !== 'action' || input.action === 'open'),
    );
    fc.assert(
      fc.property(configs, momentary, (config, history) => {
        let grantedAt = Number.NEGATIVE_INFINITY;
        let on = false;
        const faults: string[] = [];
        for (const [at, what] of runMachine(config, history)) {
          const end = grantedAt + config.strike_ms;
          if (what === 'off' && !on) faults.push(`released at ${at} though it was not on`);
          if (on && (at > end || (at === end && what.startsWith('is')))) faults.push(`still on at ${at}`);
          if (what.startsWith('on')) grantedAt = at;
          if (what === 'off' || what.startsWith('on')) on = what !== 'off';
        }
        expect(faults).toEqual([]);
        expect(on).toBe(false);
      }),
      RUNS,
    );
  });

  it('never reports the same state twice in a row', () => {
    fc.assert(
      fc.property(configs, histories, (config, history) => {
        let { state } = createInitialDoorStep(config, 'normal', monotonic(0));
        let reported: string = computeDoorStateId(config, state);
        for (const [at, input] of history) {
          const step = stepDoor(config, state, input, monotonic(at));
          state = step.state;
          for (const effect of step.effects) {
            if (effect.type !== 'report_state') continue;
            expect(effect.state_id).not.toBe(reported);
            reported = effect.state_id;
          }
          expect(reported).toBe(computeDoorStateId(config, state));
        }
      }),
      RUNS,
    );
  });
});
