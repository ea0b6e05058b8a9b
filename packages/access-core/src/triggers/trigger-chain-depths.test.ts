import { describe, expect, it } from 'vitest';
import { parseActionSteps } from '../gadgets/action-steps.ts';
import { parseDoorConfig } from '../door/door-config.ts';
import { stepDoor, createInitialDoorStep } from '../door/door-machine.ts';
import { nextDoorDeadline } from '../door/door-state.ts';
import { nextStepRunnerDeadline, createInitialRunnerStep, advanceStepRunner } from '../gadgets/step-runner.ts';
import { HOUR_MS } from '../durations.ts';
import type { GadgetId, GadgetTriggerId, SiteId } from '../ids.ts';
import { type MonotonicTime, monotonic } from '../monotonic-time.ts';
import type { Result } from '../result.ts';
import { type TriggerChainDepths, getTriggerChainDepth, setTriggerChainDepth } from './trigger-chain-depths.ts';
import { computeTriggerEffects } from './compute-trigger-effects.ts';
import type { GadgetTrigger } from './gadget-trigger.ts';

const none: TriggerChainDepths = new Map();
const door = 'gad_door' as GadgetId;
const light = 'gad_light' as GadgetId;

const valueOf = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.value;
};

/** The number of actions until two doors, each opened by the other's relock, have stopped. */
const actionsOfLoop = (period: number): number => {
  const opensOther = (source_gadget_id: GadgetId, target_gadget_id: GadgetId): GadgetTrigger => ({
    id: `gt_${source_gadget_id}` as GadgetTriggerId,
    site_id: 'site_main' as SiteId,
    is_deleted: false,
    source_type: 'state',
    source_gadget_id,
    source_state_id: 'locked',
    target_gadget_id,
    target_action_id: 'open',
  });
  const triggers = [opensOther(door, light), opensOther(light, door)];
  let depths = none;
  let gadget_id = door;
  for (let round = 0; ; round++) {
    const now = monotonic(round * period);
    const relock = { type: 'state', gadget_id, before: 'unlocked', after: 'locked' } as const;
    const [effect] = computeTriggerEffects(triggers, relock, getTriggerChainDepth(depths, gadget_id, now));
    if (effect?.type !== 'execute_action' || round === 100) return round;
    gadget_id = effect.gadget_id;
    depths = setTriggerChainDepth(depths, gadget_id, effect.depth, now);
  }
};

/** Opened in the last millisecond of the grace time after the longest strike time, then left open. */
const lastWordOfDoor = (): MonotonicTime => {
  const longest = { strike_ms: 300_000, contact: true, held_open_ms: 24 * HOUR_MS, forced_grace_ms: 60_000 };
  const config = valueOf(parseDoorConfig(longest));
  const closed = stepDoor(
    config,
    createInitialDoorStep(config, 'normal', monotonic(0)).state,
    contactIs('closed'),
    monotonic(0),
  );
  const opened = stepDoor(config, closed.state, { type: 'action', action: 'open' }, monotonic(0));
  const { state } = stepDoor(config, opened.state, contactIs('open'), monotonic(359_999));
  return nextDoorDeadline(state) ?? monotonic(0);
};
const contactIs = (level: 'open' | 'closed') => ({ type: 'contact', level }) as const;

const lastWordOfSteps = (): MonotonicTime => {
  const waits = Array.from({ length: 63 }, () => ({ step: 'wait', ms: HOUR_MS }));
  const steps = valueOf(parseActionSteps([...waits, { step: 'pulse', output: 'bell', ms: HOUR_MS }]));
  let at = monotonic(0);
  let { state } = advanceStepRunner([], createInitialRunnerStep(['bell'], at).state, { type: 'start', steps }, at);
  for (let next = nextStepRunnerDeadline(state); next !== null; next = nextStepRunnerDeadline(state)) {
    at = next;
    ({ state } = advanceStepRunner([], state, { type: 'timer' }, at));
  }
  return at;
};

describe('chain depth of a gadget', () => {
  it('is the depth of the trigger that moved it, otherwise zero', () => {
    const depths = setTriggerChainDepth(none, light, 3, monotonic(1_000));
    expect(getTriggerChainDepth(depths, light, monotonic(1_000))).toBe(3);
    expect(getTriggerChainDepth(depths, door, monotonic(1_000))).toBe(0);
  });

  it.each([
    ['a door that is held open', lastWordOfDoor, 24 * HOUR_MS],
    ['the longest steps', lastWordOfSteps, 64 * HOUR_MS],
  ])('lasts until the last report of %s about the action', (_, lastWord, least) => {
    const at = lastWord();
    expect(at).toBeGreaterThanOrEqual(least);
    expect(getTriggerChainDepth(setTriggerChainDepth(none, light, 3, monotonic(0)), light, at)).toBe(3);
  });

  it.each([5_000, 61_000, 600_000, HOUR_MS, 24 * HOUR_MS])(
    'stops a loop with a period of %i ms after eight actions',
    period => {
      expect(actionsOfLoop(period)).toBe(8);
    },
  );

  it('is zero again after a person acts on the gadget', () => {
    const depths = setTriggerChainDepth(setTriggerChainDepth(none, light, 3, monotonic(0)), light, 0, monotonic(10));
    expect(getTriggerChainDepth(depths, light, monotonic(10))).toBe(0);
  });

  it('is the depth of the later of two actions', () => {
    const depths = setTriggerChainDepth(setTriggerChainDepth(none, light, 7, monotonic(0)), light, 1, monotonic(10));
    expect(getTriggerChainDepth(depths, light, monotonic(10))).toBe(1);
  });

  it('expires after days without an action, so that nothing is blocked forever', () => {
    const depths = setTriggerChainDepth(none, light, 8, monotonic(0));
    const weekLater = monotonic(7 * 24 * HOUR_MS);
    expect(getTriggerChainDepth(depths, light, weekLater)).toBe(0);
    expect([...setTriggerChainDepth(depths, door, 1, weekLater).keys()]).toEqual([door]);
  });

  it('is kept for a limited number of gadgets, the most recently moved', () => {
    const gadget = (number: number) => `gad_${number}` as GadgetId;
    const chain = { depth: 1, until: monotonic(HOUR_MS) };
    const full: TriggerChainDepths = new Map(Array.from({ length: 10_000 }, (_, number) => [gadget(number), chain]));
    const again = setTriggerChainDepth(full, gadget(0), 2, monotonic(0));
    expect([again.size, again.get(gadget(0))?.depth]).toEqual([10_000, 2]);
    const another = setTriggerChainDepth(again, door, 1, monotonic(0));
    expect(another.size).toBe(10_000);
    expect([gadget(0), gadget(1), gadget(2), door].map(id => another.has(id))).toEqual([true, false, true, true]);
  });
});
