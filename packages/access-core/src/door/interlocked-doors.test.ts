import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { monotonic } from '../monotonic-time.ts';
import type { DoorConfig } from './door-config.ts';
import { type DoorInput, createInitialDoorStep } from './door-machine.ts';
import { isDoorUnlocked } from './door-state.ts';
import { type ControllerDoors, stepDoors, nextDoorsDeadline } from './interlocked-doors.ts';
import { iterations } from '@lintel/test/support/test-iterations-and-seed';

const config = (changes: Partial<DoorConfig> = {}): DoorConfig => ({
  strike_ms: 5_000,
  relock_on: 'time',
  contact: true,
  exit_button: true,
  held_open_ms: null,
  pre_alarm_ms: 0,
  forced_alarm: true,
  forced_grace_ms: 2_000,
  interlock_group: 'airlock',
  egress_ignores_interlock: true,
  ...changes,
});

const open: DoorInput = { type: 'action', action: 'open' };
const exit: DoorInput = { type: 'exit_button' };
const contact = (level: 'open' | 'closed' | 'unknown'): DoorInput => ({ type: 'contact', level });

const doorsOf = (configs: Readonly<Record<string, DoorConfig>>): ControllerDoors =>
  new Map(
    Object.entries(configs).map(([id, one]) => [
      id,
      { config: one, state: createInitialDoorStep(one, 'normal', monotonic(0)).state },
    ]),
  );

const play = (start: ControllerDoors, ...inputs: readonly (readonly [number, string, DoorInput])[]) => {
  let doors = start;
  const reported: string[] = [];
  for (const [at, door, input] of inputs) {
    const step = stepDoors(doors, door, input, monotonic(at));
    doors = step.doors;
    for (const { door: id, effect } of step.effects)
      if (effect.type !== 'report_state') reported.push(`${at} ${id} ${effect.type}`);
  }
  return { doors, reported };
};

const airlock = (): ControllerDoors =>
  play(doorsOf({ a: config(), b: config() }), [0, 'a', contact('closed')], [0, 'b', contact('closed')]).doors;

describe('doors of one interlock group', () => {
  it('deny the second door, with feedback, while the first is unlocked', () => {
    expect(play(airlock(), [10, 'a', open], [20, 'b', open]).reported).toEqual([
      '10 a energize_strike',
      '20 b refused',
      '20 b feedback',
    ]);
  });

  it('name the door that blocks the request', () => {
    const { doors } = play(airlock(), [10, 'a', open], [20, 'a', contact('open')]);
    const { effects } = stepDoors(doors, 'b', open, monotonic(30));
    expect(effects[0]?.effect).toEqual({
      type: 'refused',
      reason: 'interlock',
      message: 'Door a of the same interlock group is open',
      at: 30,
    });
  });

  it('stay denied while the first door stands open after relocking', () => {
    const { reported } = play(airlock(), [10, 'a', open], [20, 'a', contact('open')], [9_000, 'b', open]);
    expect(reported).toEqual(['10 a energize_strike', '9000 a release_strike', '9000 b refused', '9000 b feedback']);
  });

  it('can open in the millisecond in which the first door relocks', () => {
    const { reported } = play(airlock(), [10, 'a', open], [5_009, 'b', open], [5_010, 'b', open]);
    expect(reported.slice(1)).toEqual([
      '5009 b refused',
      '5009 b feedback',
      '5010 a release_strike',
      '5010 b energize_strike',
    ]);
  });

  it('deny a permanent unlock but never a lock', () => {
    const unlock: DoorInput = { type: 'action', action: 'unlock' };
    const lock: DoorInput = { type: 'action', action: 'lock' };
    const { reported } = play(airlock(), [10, 'a', unlock], [30, 'b', unlock], [40, 'a', lock]);
    expect(reported).toEqual(['10 a energize_strike', '30 b refused', '30 b feedback', '40 a release_strike']);
  });

  it('always open on the exit button, whatever the state of the other door', () => {
    const strikes = (input: DoorInput) => play(airlock(), [10, 'a', input], [20, 'b', exit]).reported.slice(-2);
    for (const input of [open, contact('open'), contact('unknown')])
      expect(strikes(input)).toEqual(['20 b signal', '20 b energize_strike']);
  });

  it('deny the exit button if so configured, and still report that it was pressed', () => {
    const strict = config({ egress_ignores_interlock: false });
    const { doors } = play(doorsOf({ a: config(), b: strict }), [0, 'b', contact('closed')], [10, 'a', open]);
    const { effects } = stepDoors(doors, 'b', exit, monotonic(20));
    expect(effects.map(({ effect }) => effect)).toMatchObject([
      { type: 'signal', signal_id: 'exit_button', at: 20 },
      { type: 'refused' },
      { type: 'feedback', kind: 'refused' },
    ]);
  });

  it('ignore an exit button that is not configured', () => {
    const without = config({ exit_button: false, egress_ignores_interlock: false });
    const doors = doorsOf({ a: config(), b: without });
    const { reported } = play(doors, [0, 'b', contact('closed')], [10, 'a', open], [20, 'b', exit]);
    expect(reported).toEqual(['10 a energize_strike']);
  });

  it('treat a door with an unknown contact level as open', () => {
    const { reported } = play(airlock(), [10, 'a', contact('unknown')], [20, 'b', open]);
    expect(reported).toEqual(['10 a signal', '20 b refused', '20 b feedback']);
  });

  it('never block themselves: an open door can be granted again', () => {
    const { reported } = play(airlock(), [10, 'a', open], [20, 'a', contact('open')], [30, 'a', open]);
    expect(reported).toEqual(['10 a energize_strike', '30 a energize_strike']);
  });

  it('do not block doors of other groups or of no group', () => {
    const doors = doorsOf({
      a: config(),
      b: config({ interlock_group: 'other' }),
      c: config({ interlock_group: null }),
    });
    const { reported } = play(doors, [10, 'a', open], [10, 'b', open], [10, 'c', open], [11, 'nowhere', open]);
    expect(reported).toEqual(['10 a energize_strike', '10 b energize_strike', '10 c energize_strike']);
  });

  it('report the earliest of their deadlines', () => {
    expect(nextDoorsDeadline(airlock())).toBeNull();
    const { doors } = play(
      doorsOf({ a: config(), c: config({ interlock_group: null, strike_ms: 900 }) }),
      [5, 'a', open],
      [9, 'c', open],
    );
    expect(nextDoorsDeadline(doors)).toBe(909);
  });

  it('are never unlocked at the same time, when the exit button is interlocked too', () => {
    const inputs = fc.constantFrom<DoorInput>(
      open,
      { type: 'action', action: 'unlock' },
      { type: 'action', action: 'lock' },
      exit,
      { type: 'timer' },
      contact('open'),
      contact('closed'),
      contact('closed'),
      contact('unknown'),
    );
    const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 4_000 }), fc.constantFrom('a', 'b', 'c'), inputs), {
      maxLength: 40,
    });
    const relocks = fc.constantFrom<DoorConfig['relock_on']>('time', 'open', 'close');
    fc.assert(
      fc.property(steps, relocks, (sequence, relock_on) => {
        const one = config({ relock_on, egress_ignores_interlock: false });
        let doors = doorsOf({ a: one, b: one, c: { ...one, contact: false, relock_on: 'time', forced_alarm: false } });
        let now = 0;
        for (const [pause, door, input] of sequence) {
          now += pause;
          doors = stepDoors(doors, door, input, monotonic(now)).doors;
          const unlocked = [...doors.values()].filter(({ state }) => isDoorUnlocked(state));
          expect(unlocked.length).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: iterations({ sample: 100, all: 1_000 }) },
    );
  });
});
