import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  changesRolloutDeviceState,
  hasRolloutDeviceRecovered,
  planRolloutSteps,
  type DeviceInRollout,
  type RolloutPlanState,
  MAX_SILENCE_AFTER_SWITCH_MS,
  findRolloutStageIndex,
  computeRolloutStages,
} from './rollout-plan.ts';

const NOW = 1_000_000_000;
const device = (device_id: string, change: Partial<DeviceInRollout> = {}): DeviceInRollout => ({
  device_id,
  stage: 0,
  state: 'waiting',
  told_at: null,
  updated_at: NOW,
  isOnline: true,
  ...change,
});
const rollout: RolloutPlanState = {
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

describe('computeRolloutStages', () => {
  it('converts percentages and counts, and puts the remaining devices last', () => {
    expect(
      computeRolloutStages(
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
      computeRolloutStages(
        [
          { count: 3, wait_s: 0 },
          { percent: 10, wait_s: 0 },
        ],
        4,
      ).map(({ devices }) => devices),
    ).toEqual([3, 1]);
    expect(computeRolloutStages([], 4)).toEqual([{ devices: 4, wait_s: 0 }]);
  });

  it('assigns every device to exactly one stage', () => {
    const byPercent = fc.record({ percent: fc.integer({ min: 1, max: 100 }), wait_s: fc.nat(9) });
    const byCount = fc.record({ count: fc.integer({ min: 1, max: 50 }), wait_s: fc.nat(9) });
    fc.assert(
      fc.property(
        fc.array(fc.oneof(byPercent, byCount), { maxLength: 6 }),
        fc.integer({ min: 1, max: 90 }),
        (requests, total) => {
          const stages = computeRolloutStages(requests, total);
          expect(stages.reduce((sum, { devices }) => sum + devices, 0)).toBe(total);
          expect(stages.every(({ devices }) => devices > 0)).toBe(true);
          const stageIndexes = Array.from({ length: total }, (_, position) => findRolloutStageIndex(stages, position));
          expect(stageIndexes).toEqual(stageIndexes.toSorted((a, b) => a - b));
          expect(stageIndexes.at(-1)).toBe(stages.length - 1);
        },
      ),
    );
  });
});

describe('planRolloutSteps', () => {
  it('installs on the online devices of the current stage only', () => {
    expect(planRolloutSteps(rollout, [first, second, third], NOW).install).toEqual(['a']);
    expect(planRolloutSteps(rollout, [{ ...first, isOnline: false }, second], NOW).install).toEqual([]);
  });

  it('observes a stage for its wait time before the next one begins', () => {
    const devices = [done, second, third];
    expect(planRolloutSteps(rollout, devices, NOW).change).toEqual({ stage_passed_at: NOW });
    const passed = { ...rollout, stage_passed_at: NOW };
    expect(planRolloutSteps(passed, devices, NOW + 59_000).change).toEqual({});
    expect(planRolloutSteps(passed, devices, NOW + 60_000).change).toEqual({ stage: 1, stage_passed_at: null });
    expect(planRolloutSteps({ ...rollout, stage: 1 }, devices, NOW).install).toEqual(['b', 'c']);
  });

  it('does not wait for offline devices, but for at least one result', () => {
    const offline = { ...first, isOnline: false };
    expect(planRolloutSteps(rollout, [offline, second], NOW).change).toEqual({});
    expect(planRolloutSteps(rollout, [offline, device('d', { state: 'confirmed' }), second], NOW).change).toEqual({
      stage_passed_at: NOW,
    });
  });

  it.each(['rolled_back', 'failed'])(
    'halts when a device is %s, and continues when the failure was forgiven',
    state => {
      const devices = [{ ...first, state }, second];
      expect(planRolloutSteps(rollout, devices, NOW)).toMatchObject({ install: [], change: { state: 'halted' } });
      expect(planRolloutSteps({ ...rollout, forgiven_failures: 1 }, devices, NOW).change.state).toBeUndefined();
      expect(planRolloutSteps({ ...rollout, halt_after_failures: 2 }, devices, NOW).change.state).toBeUndefined();
    },
  );

  it('fails a device that stays silent after the switch, and repeats an unanswered install message', () => {
    const silent = { ...first, state: 'switched', updated_at: NOW - MAX_SILENCE_AFTER_SWITCH_MS - 1 };
    expect(planRolloutSteps(rollout, [silent, second], NOW)).toMatchObject({
      lost: ['a'],
      change: { state: 'halted' },
    });
    const unanswered = { ...first, state: 'told', told_at: NOW - 61_000, updated_at: NOW - 61_000 };
    expect(planRolloutSteps(rollout, [unanswered, second], NOW).install).toEqual(['a']);
  });

  it('ends when every device has ended', () => {
    const finished = [done, { ...second, state: 'confirmed' }, { ...third, state: 'cancelled' }];
    expect(planRolloutSteps({ ...rollout, stage: 1 }, finished, NOW).change).toEqual({ state: 'done' });
  });
});

describe('changesRolloutDeviceState', () => {
  it('accepts only reports that move a device forward', () => {
    expect(changesRolloutDeviceState('told', 'downloading')).toBe(true);
    expect(changesRolloutDeviceState('downloading', 'downloading')).toBe(true);
    expect(changesRolloutDeviceState('confirmed', 'downloading')).toBe(false);
    expect(changesRolloutDeviceState('failed', 'confirmed')).toBe(true);
    expect(changesRolloutDeviceState('cancelled', 'ready')).toBe(false);
    expect(changesRolloutDeviceState('told', 'waiting')).toBe(false);
    expect(changesRolloutDeviceState('told', 'state-of-a-newer-version')).toBe(false);
  });
});

describe('hasRolloutDeviceRecovered', () => {
  it.each([
    ['failed', 'confirmed', true],
    ['failed', 'downloading', true],
    ['failed', 'rolled_back', false],
    ['rolled_back', 'failed', false],
    ['switched', 'confirmed', false],
  ])('from %s to %s is %s', (known, reported, expected) => {
    expect(hasRolloutDeviceRecovered(known, reported)).toBe(expected);
  });
});

describe('planRolloutSteps: limits and timing', () => {
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
  ])('repeats the install message to a device that is %s for %i s: %s', (state, seconds, isRepeated) => {
    expect(planRolloutSteps(rollout, [stalled(state, seconds), second], NOW).install).toEqual(isRepeated ? ['a'] : []);
  });

  it('does not repeat the install message while the device makes progress', () => {
    const progressing = { ...stalled('downloading', 9999), updated_at: NOW - 1000 };
    expect(planRolloutSteps(rollout, [progressing, second], NOW).install).toEqual([]);
  });

  it('fails a silent device only after the limit', () => {
    const silent = (ms: number) =>
      planRolloutSteps(rollout, [device('a', { state: 'switched', updated_at: NOW - ms })], NOW);
    expect(silent(MAX_SILENCE_AFTER_SWITCH_MS).lost).toEqual([]);
    expect(silent(MAX_SILENCE_AFTER_SWITCH_MS + 1).lost).toEqual(['a']);
  });

  it('counts silent devices together with failed ones', () => {
    const devices = [
      device('a', { state: 'switched', updated_at: NOW - MAX_SILENCE_AFTER_SWITCH_MS - 1 }),
      device('b', { state: 'failed' }),
      device('c', { state: 'rolled_back' }),
      device('d'),
    ];
    const limit = (halt_after_failures: number) => planRolloutSteps({ ...rollout, halt_after_failures }, devices, NOW);
    expect(limit(3).change).toMatchObject({ state: 'halted', reason: '3 of 4 devices failed' });
    expect(limit(4).change.state).toBeUndefined();
  });

  it('observes a stage again from the start when one of its devices returns', () => {
    const passed = { ...rollout, stage_passed_at: NOW - 59_000 };
    const returned = [done, device('d', { state: 'told', told_at: NOW }), second];
    expect(planRolloutSteps(passed, returned, NOW).change).toEqual({ stage_passed_at: null });
  });

  it('installs on devices of earlier stages when they are online again', () => {
    const later = { ...rollout, stage: 1 };
    expect(planRolloutSteps(later, [first, { ...second, isOnline: false }], NOW).install).toEqual(['a']);
  });

  it('starts a stage without a wait time in the same step', () => {
    const immediate = { ...rollout, stages: rollout.stages.map(stage => ({ ...stage, wait_s: 0 })) };
    expect(planRolloutSteps(immediate, [done, second], NOW).change).toEqual({ stage: 1, stage_passed_at: null });
  });

  it('stays in the last stage until offline devices have ended', () => {
    const waiting = [done, { ...second, isOnline: false }, { ...third, state: 'confirmed' }];
    expect(planRolloutSteps({ ...rollout, stage: 1 }, waiting, NOW)).toEqual({ install: [], lost: [], change: {} });
  });

  it('brings every roll-out to its end when all devices confirm', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 30 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 5 }),
        (total, counts) => {
          const stages = computeRolloutStages(
            counts.map(count => ({ count, wait_s: 60 })),
            total,
          );
          let devices = Array.from({ length: total }, (_, position) =>
            device(`d${position}`, { stage: findRolloutStageIndex(stages, position) }),
          );
          let plan: RolloutPlanState = { ...rollout, stages };
          for (let [step, now] = [0, NOW]; step < 5 * stages.length; step++, now += 60_000) {
            const { install, change } = planRolloutSteps(plan, devices, now);
            expect(
              devices.filter(({ device_id }) => install.includes(device_id)).every(({ stage }) => stage === plan.stage),
            ).toBe(true);
            if (change.state === 'done') return;
            devices = devices.map(one => (install.includes(one.device_id) ? { ...one, state: 'confirmed' } : one));
            plan = { ...plan, ...change };
          }
          expect.unreachable('the roll-out did not end');
        },
      ),
    );
  });
});
