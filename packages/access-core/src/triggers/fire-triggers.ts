import type { GadgetId, GadgetTriggerId, ScheduleId, SiteId } from '../ids.ts';
import type { BlindStateId } from '../door/blind.ts';
import type { DoorStateId } from '../door/door-state.ts';
import type { GadgetTrigger, ScheduleEvent } from './gadget-trigger.ts';

/** Something on the site that a trigger may wait for. */
export type Happening =
  | {
      readonly type: 'state';
      readonly gadget_id: GadgetId;
      /** null or `unknown`: no state was known, so this report is where knowledge begins and no change. */
      readonly before: string | null;
      readonly after: string;
    }
  | { readonly type: 'signal'; readonly gadget_id: GadgetId; readonly signal_id: string }
  | {
      readonly type: 'schedule';
      readonly schedule_id: ScheduleId;
      readonly site_id: SiteId;
      readonly event: ScheduleEvent;
    };

export type TriggerEffect =
  | {
      readonly type: 'execute_action';
      readonly trigger_id: GadgetTriggerId;
      readonly gadget_id: GadgetId;
      readonly action_id: string;
      /** Of the happenings that this action causes. */
      readonly depth: number;
    }
  | {
      readonly type: 'trigger_chain_stopped';
      readonly trigger_ids: readonly GadgetTriggerId[];
      readonly depth: number;
    };

/** How many triggers may set one another off in a row. */
const DEEPEST_CHAIN = 8;

/** What doors and blinds report before their state is known: after a restart, and while a contact is at fault. */
const UNKNOWN_STATE: DoorStateId & BlindStateId = 'unknown';

const waitsFor = (trigger: GadgetTrigger, happening: Happening): boolean => {
  if (trigger.is_deleted) return false;
  if (happening.type === 'state')
    return (
      trigger.source_type === 'state' &&
      trigger.source_gadget_id === happening.gadget_id &&
      trigger.source_state_id === happening.after &&
      happening.before !== null &&
      happening.before !== UNKNOWN_STATE &&
      happening.before !== happening.after
    );
  if (happening.type === 'signal')
    return (
      trigger.source_type === 'signal' &&
      trigger.source_gadget_id === happening.gadget_id &&
      trigger.source_signal_id === happening.signal_id
    );
  return (
    trigger.source_type === 'schedule' &&
    trigger.site_id === happening.site_id &&
    trigger.source_schedule_id === happening.schedule_id &&
    trigger.source_schedule_event === happening.event
  );
};

/**
 * `depth` is how many triggers led to the happening: 0 for what a person, a clock or a contact did. The same action of
 * the same gadget is executed once, however many triggers ask for it.
 */
export const fireTriggers = (
  triggers: Iterable<GadgetTrigger>,
  happening: Happening,
  depth: number,
): readonly TriggerEffect[] => {
  const due = new Map<string, GadgetTrigger>();
  for (const trigger of triggers) {
    const target = `${trigger.target_gadget_id}/${trigger.target_action_id}`;
    if (waitsFor(trigger, happening) && !due.has(target)) due.set(target, trigger);
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
