import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isNews,
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

describe('stages', () => {
  it('are shares of all devices, or so many, and the rest comes last', () => {
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

  it('have every device once, whatever was wished for', () => {
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

describe('a roll-out', () => {
  it('tells those of its stage who are there, and nobody else', () => {
    expect(nextMoves(rollout, [first, second, third], NOW).tell).toEqual(['a']);
    expect(nextMoves(rollout, [{ ...first, isOnline: false }, second], NOW).tell).toEqual([]);
  });

  it('looks at a stage for its time before the next one begins', () => {
    const devices = [done, second, third];
    expect(nextMoves(rollout, devices, NOW).change).toEqual({ stage_passed_at: NOW });
    const passed = { ...rollout, stage_passed_at: NOW };
    expect(nextMoves(passed, devices, NOW + 59_000).change).toEqual({});
    expect(nextMoves(passed, devices, NOW + 60_000).change).toEqual({ stage: 1, stage_passed_at: null });
    expect(nextMoves({ ...rollout, stage: 1 }, devices, NOW).tell).toEqual(['b', 'c']);
  });

  it('does not wait for who is away, but for somebody who has come through', () => {
    const away = { ...first, isOnline: false };
    expect(nextMoves(rollout, [away, second], NOW).change).toEqual({});
    expect(nextMoves(rollout, [away, device('d', { state: 'confirmed' }), second], NOW).change).toEqual({
      stage_passed_at: NOW,
    });
  });

  it.each(['rolled_back', 'failed'])('is halted when one is %s, and goes on when that was forgiven', state => {
    const devices = [{ ...first, state }, second];
    expect(nextMoves(rollout, devices, NOW)).toMatchObject({ tell: [], change: { state: 'halted' } });
    expect(nextMoves({ ...rollout, forgiven_failures: 1 }, devices, NOW).change.state).toBeUndefined();
    expect(nextMoves({ ...rollout, halt_after_failures: 2 }, devices, NOW).change.state).toBeUndefined();
  });

  it('gives up who does not come back after the switch, and tells again who has not answered', () => {
    const gone = { ...first, state: 'switched', updated_at: NOW - SILENT_MS - 1 };
    expect(nextMoves(rollout, [gone, second], NOW)).toMatchObject({ lost: ['a'], change: { state: 'halted' } });
    const told = { ...first, state: 'told', told_at: NOW - 61_000, updated_at: NOW - 61_000 };
    expect(nextMoves(rollout, [told, second], NOW).tell).toEqual(['a']);
  });

  it('is done when everybody is', () => {
    const over = [done, { ...second, state: 'confirmed' }, { ...third, state: 'cancelled' }];
    expect(nextMoves({ ...rollout, stage: 1 }, over, NOW).change).toEqual({ state: 'done' });
  });
});

it("takes a controller's word for news only where it can be", () => {
  expect(isNews('told', 'downloading')).toBe(true);
  expect(isNews('downloading', 'downloading')).toBe(true);
  expect(isNews('confirmed', 'downloading')).toBe(false);
  expect(isNews('failed', 'confirmed')).toBe(true);
  expect(isNews('cancelled', 'ready')).toBe(false);
  expect(isNews('told', 'waiting')).toBe(false);
  expect(isNews('told', 'what a newer version says')).toBe(false);
});
