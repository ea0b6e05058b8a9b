import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { monotonic } from '../monotonic.ts';
import type { DoorConfig } from './door-config.ts';
import { type DoorInput, startDoor } from './door-machine.ts';
import { isUnlocked } from './door-state.ts';
import { type Doors, doorsMachine, nextDoorsDeadline } from './interlocked-doors.ts';

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

const doorsOf = (configs: Readonly<Record<string, DoorConfig>>): Doors =>
  new Map(
    Object.entries(configs).map(([id, one]) => [
      id,
      { config: one, state: startDoor(one, 'normal', monotonic(0)).state },
    ]),
  );

const play = (start: Doors, ...inputs: readonly (readonly [number, string, DoorInput])[]) => {
  let doors = start;
  const told: string[] = [];
  for (const [at, door, input] of inputs) {
    const step = doorsMachine(doors, door, input, monotonic(at));
    doors = step.doors;
    for (const { door: id, effect } of step.effects)
      if (effect.type !== 'report_state') told.push(`${at} ${id} ${effect.type}`);
  }
  return { doors, told };
};

const airlock = (): Doors =>
  play(doorsOf({ a: config(), b: config() }), [0, 'a', contact('closed')], [0, 'b', contact('closed')]).doors;

describe('doors of one interlock group', () => {
  it('open one at a time: while the first is unlocked the second is refused, with feedback', () => {
    expect(play(airlock(), [10, 'a', open], [20, 'b', open]).told).toEqual([
      '10 a energize_strike',
      '20 b refused',
      '20 b feedback',
    ]);
  });

  it('say in words which door stands in the way', () => {
    const { doors } = play(airlock(), [10, 'a', open], [20, 'a', contact('open')]);
    const { effects } = doorsMachine(doors, 'b', open, monotonic(30));
    expect(effects[0]?.effect).toEqual({
      type: 'refused',
      reason: 'interlock',
      message: 'door a of the same interlock group is open',
      at: 30,
    });
  });

  it('stay refused while the first stands open after its relock', () => {
    const { told } = play(airlock(), [10, 'a', open], [20, 'a', contact('open')], [9_000, 'b', open]);
    expect(told).toEqual(['10 a energize_strike', '9000 a release_strike', '9000 b refused', '9000 b feedback']);
  });

  it('open again in the millisecond in which the first relocks', () => {
    const { told } = play(airlock(), [10, 'a', open], [5_009, 'b', open], [5_010, 'b', open]);
    expect(told.slice(1)).toEqual([
      '5009 b refused',
      '5009 b feedback',
      '5010 a release_strike',
      '5010 b energize_strike',
    ]);
  });

  it('refuse unlocking for good, but never locking', () => {
    const unlock: DoorInput = { type: 'action', action: 'unlock' };
    const lock: DoorInput = { type: 'action', action: 'lock' };
    const { told } = play(airlock(), [10, 'a', unlock], [30, 'b', unlock], [40, 'a', lock]);
    expect(told).toEqual(['10 a energize_strike', '30 b refused', '30 b feedback', '40 a release_strike']);
  });

  it('let everybody out: the exit button opens beside an open, an unlocked and a silent partner', () => {
    const strikes = (input: DoorInput) => play(airlock(), [10, 'a', input], [20, 'b', exit]).told.slice(-2);
    for (const input of [open, contact('open'), contact('unknown')])
      expect(strikes(input)).toEqual(['20 b signal', '20 b energize_strike']);
  });

  it('refuse the exit button where the profile says so, and still tell that it was pressed', () => {
    const strict = config({ egress_ignores_interlock: false });
    const { doors } = play(doorsOf({ a: config(), b: strict }), [0, 'b', contact('closed')], [10, 'a', open]);
    const { effects } = doorsMachine(doors, 'b', exit, monotonic(20));
    expect(effects.map(({ effect }) => effect)).toMatchObject([
      { type: 'signal', signal_id: 'exit_button', at: 20 },
      { type: 'refused' },
      { type: 'feedback', kind: 'refused' },
    ]);
  });

  it('hear nothing of an exit button that is not fitted', () => {
    const without = config({ exit_button: false, egress_ignores_interlock: false });
    const doors = doorsOf({ a: config(), b: without });
    const { told } = play(doors, [0, 'b', contact('closed')], [10, 'a', open], [20, 'b', exit]);
    expect(told).toEqual(['10 a energize_strike']);
  });

  it('take a door whose contact says nothing for open', () => {
    const { told } = play(airlock(), [10, 'a', contact('unknown')], [20, 'b', open]);
    expect(told).toEqual(['10 a signal', '20 b refused', '20 b feedback']);
  });

  it('do not stand in their own way: an open door may be granted again', () => {
    const { told } = play(airlock(), [10, 'a', open], [20, 'a', contact('open')], [30, 'a', open]);
    expect(told).toEqual(['10 a energize_strike', '30 a energize_strike']);
  });

  it('do not stand in the way of other groups or of doors without one', () => {
    const doors = doorsOf({
      a: config(),
      b: config({ interlock_group: 'other' }),
      c: config({ interlock_group: null }),
    });
    const { told } = play(doors, [10, 'a', open], [10, 'b', open], [10, 'c', open], [11, 'nowhere', open]);
    expect(told).toEqual(['10 a energize_strike', '10 b energize_strike', '10 c energize_strike']);
  });

  it('wake at the earliest of their deadlines', () => {
    expect(nextDoorsDeadline(airlock())).toBeNull();
    const { doors } = play(
      doorsOf({ a: config(), c: config({ interlock_group: null, strike_ms: 900 }) }),
      [5, 'a', open],
      [9, 'c', open],
    );
    expect(nextDoorsDeadline(doors)).toBe(909);
  });

  it('are never unlocked two at a time, whatever is asked of them, where even the exit button waits', () => {
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
          doors = doorsMachine(doors, door, input, monotonic(now)).doors;
          const unlocked = [...doors.values()].filter(({ state }) => isUnlocked(state));
          expect(unlocked.length).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
