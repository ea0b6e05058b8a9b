import { instantOf } from '@lintel/wire-protocol/schema-parts/date-time';
import type { EventAnswer } from '@lintel/wire-protocol/rest/event';
import { clockText } from './scenario-time.ts';
import type { ScenarioWorld } from './scenario-world.ts';
import { keyOf } from './seed-of-world.ts';
import type { EventPlan } from './step-schema.ts';

type Test = readonly [wanted: unknown, seen: unknown];

/** Who it is about: the one who acted, or the member that was acted on. */
const memberOf = ({ subject, object }: EventAnswer) => subject.member_id ?? object.member_id;

export const matches = (world: ScenarioWorld, event: EventAnswer, plan: EventPlan): boolean => {
  const { subject, object, verb, reason } = event;
  const { ids } = world.bridge;
  const tests: readonly Test[] = [
    [plan.verb, verb],
    [plan.object, object.type],
    [plan.who, world.people.nameOf(memberOf(event))],
    [plan.door === undefined ? undefined : ids[keyOf.door(plan.door)], object.gadget_id],
    [plan.action, object.gadget_action_id],
    [plan.signal, object.gadget_signal_id],
    [plan.state, object.gadget_state_id],
    [plan.method, subject.access_method],
    [plan.reason, reason],
    [plan.at, clockText(instantOf(event.created_at), world.zone).slice(4, 9)],
    [plan.time_trusted, subject.time_trusted ?? undefined],
  ];
  return tests.every(([wanted, seen]) => wanted === undefined || wanted === seen);
};

const doorNamed = ({ bridge }: ScenarioWorld, id: string | null | undefined): string | null => {
  const found = Object.entries(bridge.ids).find(([, known]) => known === id)?.[0];
  return found?.replace(/^door /, '') ?? null;
};

const joined = (parts: readonly (string | null | undefined | false)[]): string =>
  parts.filter(part => typeof part === 'string' && part !== '').join(' ');

export const eventInWords = (world: ScenarioWorld, event: EventAnswer): string => {
  const { verb, object, subject, reason, created_at } = event;
  const who = world.people.nameOf(memberOf(event));
  return joined([
    verb,
    object.type,
    doorNamed(world, object.gadget_id),
    object.gadget_action_id ?? object.gadget_signal_id ?? object.gadget_state_id,
    who !== null && `by ${who}`,
    subject.access_method != null && `(${subject.access_method})`,
    reason != null && `because ${reason}`,
    `at ${clockText(instantOf(created_at), world.zone).slice(4)}`,
    subject.time_trusted === false && 'by a clock that is not trusted',
  ]);
};

export const planInWords = ({
  verb,
  object,
  who,
  door,
  action,
  signal,
  state,
  method,
  reason,
  at,
  time_trusted,
}: EventPlan): string =>
  joined([
    verb,
    object,
    door,
    action ?? signal ?? state,
    who !== undefined && `by ${who}`,
    method !== undefined && `(${method})`,
    reason !== undefined && `because ${reason}`,
    at !== undefined && `at ${at}`,
    time_trusted === false && 'by a clock that is not trusted',
  ]);
