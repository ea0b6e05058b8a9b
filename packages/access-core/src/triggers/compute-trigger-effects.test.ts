import { describe, expect, it } from 'vitest';
import type { GadgetId, GadgetTriggerId, ScheduleId, SiteId } from '../ids.ts';
import { computeTriggerEffects, type TriggerInput } from './compute-trigger-effects.ts';
import type { GadgetTrigger } from './gadget-trigger.ts';

const door = 'gad_door' as GadgetId;
const light = 'gad_light' as GadgetId;
const day = 'sch_day' as ScheduleId;
const main = 'site_main' as SiteId;

const base = { site_id: main, target_gadget_id: light, target_action_id: 'on', is_deleted: false };
const onOpen: GadgetTrigger = {
  ...base,
  id: 'gt_open' as GadgetTriggerId,
  source_type: 'state',
  source_gadget_id: door,
  source_state_id: 'open',
};
const onForced: GadgetTrigger = {
  ...base,
  id: 'gt_forced' as GadgetTriggerId,
  source_type: 'signal',
  source_gadget_id: door,
  source_signal_id: 'forced',
};
const onEnter: GadgetTrigger = {
  ...base,
  id: 'gt_enter' as GadgetTriggerId,
  source_type: 'schedule',
  source_gadget_id: null,
  source_schedule_id: day,
  source_schedule_event: 'enter',
};
const all = [onOpen, onForced, onEnter];

const state = (before: string | null, after: string, gadget_id = door): TriggerInput => ({
  type: 'state',
  gadget_id,
  before,
  after,
});
const fired = (input: TriggerInput, triggers = all, depth = 0): string[] =>
  computeTriggerEffects(triggers, input, depth).map(effect =>
    effect.type === 'execute_action' ? effect.trigger_id : effect.type,
  );

describe('computeTriggerEffects', () => {
  describe('with a state trigger', () => {
    it('fires on the change into the state, with its target', () => {
      expect(computeTriggerEffects(all, state('locked', 'open'), 0)).toEqual([
        { type: 'execute_action', trigger_id: 'gt_open', gadget_id: light, action_id: 'on', depth: 1 },
      ]);
    });

    it('does not fire on a repeated report, on leaving the state, or for another gadget', () => {
      expect(fired(state('open', 'open'))).toEqual([]);
      expect(fired(state('open', 'locked'))).toEqual([]);
      expect(fired(state('locked', 'open', light))).toEqual([]);
    });

    it('does not fire on the first report, which is not a change', () => {
      expect(fired(state(null, 'open'))).toEqual([]);
    });

    it('does not fire when a gadget determines its state after a restart or a contact fault', () => {
      expect(fired(state('unknown', 'open'))).toEqual([]);
    });

    it('fires when the state becomes unknown', () => {
      const onLoss: GadgetTrigger = { ...onOpen, source_state_id: 'unknown' };
      expect(fired(state('locked', 'unknown'), [onLoss])).toEqual(['gt_open']);
      expect(fired(state(null, 'unknown'), [onLoss])).toEqual([]);
    });
  });

  describe('with a signal trigger', () => {
    it('fires each time the signal occurs', () => {
      const signal: TriggerInput = { type: 'signal', gadget_id: door, signal_id: 'forced' };
      expect([fired(signal), fired(signal)]).toEqual([['gt_forced'], ['gt_forced']]);
    });

    it('ignores other signals, and a state of the same name', () => {
      expect(fired({ type: 'signal', gadget_id: door, signal_id: 'open' })).toEqual([]);
      expect(fired({ type: 'signal', gadget_id: light, signal_id: 'forced' })).toEqual([]);
      expect(fired(state('locked', 'forced'))).toEqual([]);
    });
  });

  describe('with a schedule trigger', () => {
    const entered: TriggerInput = { type: 'schedule', schedule_id: day, site_id: main, event: 'enter' };

    it('fires on its own event only', () => {
      expect(fired(entered)).toEqual(['gt_enter']);
      expect(fired({ ...entered, event: 'exit' })).toEqual([]);
      expect(fired({ ...entered, schedule_id: 'sch_night' as ScheduleId })).toEqual([]);
    });

    it('ignores the same schedule at another site', () => {
      expect(fired({ ...entered, site_id: 'site_other' as SiteId })).toEqual([]);
    });
  });

  it('does not fire a deleted trigger', () => {
    expect(fired(state('locked', 'open'), [{ ...onOpen, is_deleted: true }])).toEqual([]);
  });

  it('executes an action once when two triggers request it', () => {
    const twin: GadgetTrigger = { ...onOpen, id: 'gt_twin' as GadgetTriggerId };
    const other: GadgetTrigger = { ...twin, target_action_id: 'off' };
    expect(fired(state('locked', 'open'), [onOpen, twin])).toEqual(['gt_open']);
    expect(fired(state('locked', 'open'), [onOpen, other])).toEqual(['gt_open', 'gt_twin']);
  });

  describe('with a chain of triggers', () => {
    const pingPong: GadgetTrigger[] = [
      { ...onForced, source_signal_id: 'ping', target_gadget_id: light },
      {
        ...onForced,
        id: 'gt_back' as GadgetTriggerId,
        source_gadget_id: light,
        source_signal_id: 'ping',
        target_gadget_id: door,
      },
    ];

    it('executes eight actions, then stops with one event', () => {
      let input: TriggerInput | null = { type: 'signal', gadget_id: door, signal_id: 'ping' };
      let depth = 0;
      const reported: string[] = [];
      while (input !== null) {
        const [effect] = computeTriggerEffects(pingPong, input, depth);
        reported.push(effect?.type ?? 'nothing');
        input = null;
        if (effect?.type === 'execute_action') {
          input = { type: 'signal', gadget_id: effect.gadget_id, signal_id: 'ping' };
          depth = effect.depth;
        }
      }
      expect(reported).toEqual([...Array.from({ length: 8 }, () => 'execute_action'), 'trigger_chain_stopped']);
    });

    it('names the triggers that it did not fire', () => {
      expect(computeTriggerEffects(all, state('locked', 'open'), 8)).toEqual([
        { type: 'trigger_chain_stopped', trigger_ids: ['gt_open'], depth: 8 },
      ]);
    });

    it('ends without an event when no trigger would have fired', () => {
      expect(computeTriggerEffects(all, state('open', 'locked'), 8)).toEqual([]);
    });
  });
});
