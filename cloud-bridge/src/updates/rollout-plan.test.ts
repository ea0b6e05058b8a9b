import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isNews,
  isRecovery,
  nextMoves,
  type PlannedDevice,
  type PlannedRollout,
  SILENT_MS,
  stageAt,
  stagesFor,
} from './rollout-plan.ts';

const NOW = 1_000_000_000;
const device = (device_id: string, change: Partial<PlannedDevice> = {}): PlannedDevice => ({
  device_id,
  stage: 0,
  state: 'waiting',
  told_at: null,
  updated_at: NOW,
  isOnline: true,
  ...change,
});
const rollout: PlannedRollout = {
  stages: [
    { devices: 1, wait_s: 60 },
    { devices: 2, wait_s: 0 },
  ],
  stage: 0,
  stage_passed_at: null,
  halt_after_failures: 1,
  forgiven_failures: 0,
};
const [first, second, third] = [device('a'), device('b', { stage: 1 }), device('c', { stage: 1 })] as const;
const done = { ...first, state: 'confirmed' };

describe('stagesFor', () => {
  it('converts percentages and counts, and puts the remaining devices last', () => {
    expect(
      stagesFor(
        [
          { percent: 1, wait_s: 5 },
          { percent: 50, wait_s: 6 },
        ],
        10,
      ),
    ).toEqual([
      { devices: 1, wait_s: 5 },
      { devices: 4, wait_s: 6 },
      { devices: 5, wait_s: 0 },
    ]);
    expect(
      stagesFor(
        [
          { count: 3, wait_s: 0 },
          { percent: 10, wait_s: 0 },
        ],
        4,
      ).map(({ devices }) => devices),
    ).toEqual([3, 1]);
    expect(stagesFor([], 4)).toEqual([{ devices: 4, wait_s: 0 }]);
  });

  it('assigns every device to exactly one stage', () => {
    const wish = fc.record({ percent: fc.integer({ min: 1, max: 100 }), wait_s: fc.nat(9) });
    const other = fc.record({ count: fc.integer({ min: 1, max: 50 }), wait_s: fc.nat(9) });
    fc.assert(
      fc.property(
        fc.array(fc.oneof(wish, other), { maxLength: 6 }),
        fc.integer({ min: 1, max: 90 }),
        (wishes, total) => {
          const stages = stagesFor(wishes, total);
          expect(stages.reduce((sum, { devices }) => sum + devices, 0)).toBe(total);
          expect(stages.every(({ devices }) => devices > 0)).toBe(true);
          const places = Array.from({ length: total }, (_, place) => stageAt(stages, place));
          expect(places).toEqual(places.toSorted((a, b) => a - b));
          expect(places.at(-1)).toBe(stages.length - 1);
        },
      ),
    );
  });
});

describe('nextMoves', () => {
  it('orders the online devices of the current stage only', () => {
    expect(nextMoves(rollout, [first, second, third], NOW).tell).toEqual(['a']);
    expect(nextMoves(rollout, [{ ...first, isOnline: false }, second], NOW).tell).toEqual([]);
  });

  it('observes a stage for its wait time before the next one begins', () => {
    const devices = [done, second, third];
    expect(nextMoves(rollout, devices, NOW).change).toEqual({ stage_passed_at: NOW });
    const passed = { ...rollout, stage_passed_at: NOW };
    expect(nextMoves(passed, devices, NOW + 59_000).change).toEqual({});
    expect(nextMoves(passed, devices, NOW + 60_000).change).toEqual({ stage: 1, stage_passed_at: null });
    expect(nextMoves({ ...rollout, stage: 1 }, devices, NOW).tell).toEqual(['b', 'c']);
  });

  it('does not wait for offline devices, but for at least one result', () => {
    const away = { ...first, isOnline: false };
    expect(nextMoves(rollout, [away, second], NOW).change).toEqual({});
    expect(nextMoves(rollout, [away, device('d', { state: 'confirmed' }), second], NOW).change).toEqual({
      stage_passed_at: NOW,
    });
  });

  it.each(['rolled_back', 'failed'])(
    'halts when a device is %s, and continues when the failure was forgiven',
    state => {
      const devices = [{ ...first, state }, second];
      expect(nextMoves(rollout, devices, NOW)).toMatchObject({ tell: [], change: { state: 'halted' } });
      expect(nextMoves({ ...rollout, forgiven_failures: 1 }, devices, NOW).change.state).toBeUndefined();
      expect(nextMoves({ ...rollout, halt_after_failures: 2 }, devices, NOW).change.state).toBeUndefined();
    },
  );

  it('gives up a device that stays silent after the switch, and repeats an unanswered order', () => {
    const gone = { ...first, state: 'switched', updated_at: NOW - SILENT_MS - 1 };
    expect(nextMoves(rollout, [gone, second], NOW)).toMatchObject({ lost: ['a'], change: { state: 'halted' } });
    const told = { ...first, state: 'told', told_at: NOW - 61_000, updated_at: NOW - 61_000 };
    expect(nextMoves(rollout, [told, second], NOW).tell).toEqual(['a']);
  });

  it('ends when every device has ended', () => {
    const over = [done, { ...second, state: 'confirmed' }, { ...third, state: 'cancelled' }];
    expect(nextMoves({ ...rollout, stage: 1 }, over, NOW).change).toEqual({ state: 'done' });
  });
});

describe('isNews', () => {
  it('accepts only reports that move a device forward', () => {
    expect(isNews('told', 'downloading')).toBe(true);
    expect(isNews('downloading', 'downloading')).toBe(true);
    expect(isNews('confirmed', 'downloading')).toBe(false);
    expect(isNews('failed', 'confirmed')).toBe(true);
    expect(isNews('cancelled', 'ready')).toBe(false);
    expect(isNews('told', 'waiting')).toBe(false);
    expect(isNews('told', 'what a newer version says')).toBe(false);
  });
});

describe('isRecovery', () => {
  it.each([
    ['failed', 'confirmed', true],
    ['failed', 'downloading', true],
    ['failed', 'rolled_back', false],
    ['rolled_back', 'failed', false],
    ['switched', 'confirmed', false],
  ])('from %s to %s is %s', (known, reported, expected) => {
    expect(isRecovery(known, reported)).toBe(expected);
  });
});

describe('nextMoves: limits and timing', () => {
  const stalled = (state: string, seconds: number) =>
    device('a', { state, told_at: NOW - seconds * 1000, updated_at: NOW - seconds * 1000 });

  it.each([
    ['told', 60, false],
    ['told', 61, true],
    ['downloading', 599, false],
    ['downloading', 601, true],
    ['ready', 601, true],
    ['switched', 601, false],
    ['confirmed', 9999, false],
  ])('repeats the order to a device that is %s for %i s: %s', (state, seconds, isRepeated) => {
    expect(nextMoves(rollout, [stalled(state, seconds), second], NOW).tell).toEqual(isRepeated ? ['a'] : []);
  });

  it('does not repeat the order while the device makes progress', () => {
    const progressing = { ...stalled('downloading', 9999), updated_at: NOW - 1000 };
    expect(nextMoves(rollout, [progressing, second], NOW).tell).toEqual([]);
  });

  it('gives up a silent device only after the limit', () => {
    const silent = (ms: number) => nextMoves(rollout, [device('a', { state: 'switched', updated_at: NOW - ms })], NOW);
    expect(silent(SILENT_MS).lost).toEqual([]);
    expect(silent(SILENT_MS + 1).lost).toEqual(['a']);
  });

  it('counts devices that it gives up together with failed ones', () => {
    const devices = [
      device('a', { state: 'switched', updated_at: NOW - SILENT_MS - 1 }),
      device('b', { state: 'failed' }),
      device('c', { state: 'rolled_back' }),
      device('d'),
    ];
    const limit = (halt_after_failures: number) => nextMoves({ ...rollout, halt_after_failures }, devices, NOW);
    expect(limit(3).change).toMatchObject({ state: 'halted', reason: '3 of 4 devices have failed' });
    expect(limit(4).change.state).toBeUndefined();
  });

  it('observes a stage again from the start when one of its devices returns', () => {
    const passed = { ...rollout, stage_passed_at: NOW - 59_000 };
    const returned = [done, device('d', { state: 'told', told_at: NOW }), second];
    expect(nextMoves(passed, returned, NOW).change).toEqual({ stage_passed_at: null });
  });

  it('orders offline devices of earlier stages when they return', () => {
    const later = { ...rollout, stage: 1 };
    expect(nextMoves(later, [first, { ...second, isOnline: false }], NOW).tell).toEqual(['a']);
  });

  it('starts a stage without a wait time in the same step', () => {
    const immediate = { ...rollout, stages: rollout.stages.map(stage => ({ ...stage, wait_s: 0 })) };
    expect(nextMoves(immediate, [done, second], NOW).change).toEqual({ stage: 1, stage_passed_at: null });
  });

  it('stays in the last stage until offline devices have ended', () => {
    const waiting = [done, { ...second, isOnline: false }, { ...third, state: 'confirmed' }];
    expect(nextMoves({ ...rollout, stage: 1 }, waiting, NOW)).toEqual({ tell: [], lost: [], change: {} });
  });

  it('brings every roll-out to its end when all devices confirm', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 30 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 5 }),
        (total, counts) => {
          const stages = stagesFor(
            counts.map(count => ({ count, wait_s: 60 })),
            total,
          );
          let devices = Array.from({ length: total }, (_, place) =>
            device(`d${place}`, { stage: stageAt(stages, place) }),
          );
          let plan: PlannedRollout = { ...rollout, stages };
          for (let [step, now] = [0, NOW]; step < 5 * stages.length; step++, now += 60_000) {
            const { tell, change } = nextMoves(plan, devices, now);
            expect(
              devices.filter(({ device_id }) => tell.includes(device_id)).every(({ stage }) => stage === plan.stage),
            ).toBe(true);
            if (change.state === 'done') return;
            devices = devices.map(one => (tell.includes(one.device_id) ? { ...one, state: 'confirmed' } : one));
            plan = { ...plan, ...change };
          }
          expect.unreachable('the roll-out did not end');
        },
      ),
    );
  });
});
