import type { GadgetId, GadgetTriggerId, ScheduleId, SiteId } from '../ids.ts';
import type { BlindStateId } from '../gadgets/blind.ts';
import type { DoorStateId } from '../door/door-state.ts';
import type { GadgetTrigger, ScheduleTransition } from './gadget-trigger.ts';

/** A change or signal at the site that a trigger may react to. */
export type TriggerInput =
  | {
      readonly type: 'state';
      readonly gadget_id: GadgetId;
      /** Null or `unknown`: there was no known state before, so this is not a change. */
      readonly before: string | null;
      readonly after: string;
    }
  | { readonly type: 'signal'; readonly gadget_id: GadgetId; readonly signal_id: string }
  | {
      readonly type: 'schedule';
      readonly schedule_id: ScheduleId;
      readonly site_id: SiteId;
      readonly event: ScheduleTransition;
    };

export type TriggerEffect =
  | {
      readonly type: 'execute_action';
      readonly trigger_id: GadgetTriggerId;
      readonly gadget_id: GadgetId;
      readonly action_id: string;
      /** Depth of the inputs that this action causes. */
      readonly depth: number;
    }
  | {
      readonly type: 'trigger_chain_stopped';
      readonly trigger_ids: readonly GadgetTriggerId[];
      readonly depth: number;
    };

/** Maximum number of triggers that may fire in a chain. */
const DEEPEST_CHAIN = 8;

/** The state of doors and blinds before it is known: after a restart, and during a contact fault. */
const UNKNOWN_STATE: DoorStateId & BlindStateId = 'unknown';

const waitsFor = (trigger: GadgetTrigger, input: TriggerInput): boolean => {
  if (trigger.is_deleted) return false;
  if (input.type === 'state')
    return (
      trigger.source_type === 'state' &&
      trigger.source_gadget_id === input.gadget_id &&
      trigger.source_state_id === input.after &&
      input.before !== null &&
      input.before !== UNKNOWN_STATE &&
      input.before !== input.after
    );
  if (input.type === 'signal')
    return (
      trigger.source_type === 'signal' &&
      trigger.source_gadget_id === input.gadget_id &&
      trigger.source_signal_id === input.signal_id
    );
  return (
    trigger.source_type === 'schedule' &&
    trigger.site_id === input.site_id &&
    trigger.source_schedule_id === input.schedule_id &&
    trigger.source_schedule_event === input.event
  );
};

/**
 * `depth` is the number of triggers that led to the input: 0 if caused by a person, a clock or a contact. The same
 * action of the same gadget is executed once, however many triggers fire it.
 */
export const computeTriggerEffects = (
  triggers: Iterable<GadgetTrigger>,
  input: TriggerInput,
  depth: number,
): readonly TriggerEffect[] => {
  const due = new Map<string, GadgetTrigger>();
  for (const trigger of triggers) {
    const target = `${trigger.target_gadget_id}/${trigger.target_action_id}`;
    if (waitsFor(trigger, input) && !due.has(target)) due.set(target, trigger);
  }
  const fired = [...due.values()];
  if (fired.length > 0 && depth >= DEEPEST_CHAIN)
    return [{ type: 'trigger_chain_stopped', trigger_ids: fired.map(trigger => trigger.id), depth }];
  return fired.map(trigger => ({
    type: 'execute_action',
    trigger_id: trigger.id,
    gadget_id: trigger.target_gadget_id,
    action_id: trigger.target_action_id,
    depth: depth + 1,
  }));
};
