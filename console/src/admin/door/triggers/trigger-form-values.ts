import type { GadgetResponse } from '@lintel/wire-protocol/rest/gadget';
import type { GadgetTriggerResponse } from '@lintel/wire-protocol/rest/gadget-trigger';
import type { SelectOption } from '../../components/grouped-select-field.tsx';
import type { AdminMessages } from '../../messages/en.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

/** What is selected in the editor. */
export interface GadgetTriggerFormValues {
  /** A gadget, or `SCHEDULE`. */
  readonly source: string;
  /** `state unlocked`, `signal forced`, or `enter schedule_…`. */
  readonly event: string;
  readonly target: string;
  readonly action: string;
}

export const SCHEDULE_TRIGGER_SOURCE = 'schedule';

type Doors = readonly Pick<GadgetResponse, 'id' | 'name' | 'actions' | 'states' | 'signals'>[];

interface TriggerObjects {
  readonly doors: Doors;
  readonly schedules: readonly Named[];
}

/** The events that can start a trigger with this source. */
export const listTriggerEventOptions = (
  source: string,
  { doors, schedules }: TriggerObjects,
  { triggers }: AdminMessages,
): readonly SelectOption[] => {
  if (source === SCHEDULE_TRIGGER_SOURCE)
    return schedules.flatMap(({ id, name }) => [
      { id: `enter ${id}`, name: triggers.scheduleBegins(name) },
      { id: `exit ${id}`, name: triggers.scheduleEnds(name) },
    ]);
  const door = doors.find(({ id }) => id === source);
  return [
    ...(door?.states ?? []).map(({ id, name }) => ({ id: `state ${id}`, name, group: triggers.states })),
    ...(door?.signals ?? []).map(({ id, name }) => ({ id: `signal ${id}`, name, group: triggers.signals })),
  ];
};

export const toGadgetTriggerFormValues = (trigger: GadgetTriggerResponse): GadgetTriggerFormValues => {
  const { source_type: type, source_gadget_id, target_gadget_id: target, target_action_id: action } = trigger;
  if (type === 'schedule')
    return {
      source: SCHEDULE_TRIGGER_SOURCE,
      event: `${trigger.source_schedule_event} ${trigger.source_schedule_id}`,
      target,
      action,
    };
  const part = type === 'state' ? trigger.source_state_id : trigger.source_signal_id;
  return { source: source_gadget_id ?? '', event: `${type} ${part}`, target, action };
};

/** The body of the request. Fields of the other kinds of source are null. */
export const toGadgetTriggerRequestBody = ({ source, event, target, action }: GadgetTriggerFormValues) => {
  const [kind = '', id = ''] = event.split(' ');
  const isSchedule = source === SCHEDULE_TRIGGER_SOURCE;
  return {
    source_type: isSchedule ? 'schedule' : kind,
    source_gadget_id: isSchedule ? null : source,
    source_state_id: kind === 'state' ? id : null,
    source_signal_id: kind === 'signal' ? id : null,
    source_schedule_id: isSchedule ? id : null,
    source_schedule_event: isSchedule ? kind : null,
    target_gadget_id: target,
    target_action_id: action,
  };
};

const nameOf = (objects: readonly Named[], id: string | null): string =>
  objects.find(one => one.id === id)?.name ?? id ?? '';

/** `When Front door: Forced, then Light: On`. */
export const describeGadgetTrigger = (
  trigger: GadgetTriggerResponse,
  { doors, schedules }: TriggerObjects,
  { triggers }: AdminMessages,
): string => {
  const target = doors.find(({ id }) => id === trigger.target_gadget_id);
  const effect = `${target?.name ?? trigger.target_gadget_id}: ${nameOf(target?.actions ?? [], trigger.target_action_id)}`;
  if (trigger.source_type === 'schedule') {
    const schedule = nameOf(schedules, trigger.source_schedule_id);
    const cause =
      trigger.source_schedule_event === 'enter' ? triggers.scheduleBegins(schedule) : triggers.scheduleEnds(schedule);
    return triggers.sentence(cause, effect);
  }
  const source = doors.find(({ id }) => id === trigger.source_gadget_id);
  const part =
    trigger.source_type === 'state'
      ? nameOf(source?.states ?? [], trigger.source_state_id)
      : nameOf(source?.signals ?? [], trigger.source_signal_id);
  return triggers.sentence(`${source?.name ?? trigger.source_gadget_id}: ${part}`, effect);
};
