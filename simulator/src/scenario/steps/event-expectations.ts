import { denialReasons, accessMethods } from '@lintel/access-core/access-data-types';
import type { EventResponse } from '@lintel/wire-protocol/rest/event';
import { toInstant } from '@lintel/wire-protocol/schema-parts/date-time';
import * as z from 'zod';
import { scenarioNameSchema } from '../field-schemas.ts';
import { formatScenarioTime } from '../scenario-time.ts';
import type { ScenarioWorld } from '../scenario-world.ts';
import { defineAwaitedScenarioExpectation } from './define-actions-and-expectations.ts';

export const scenarioDenialReasonSchema = z.enum(denialReasons, {
  error: `must be one of ${denialReasons.join(', ')}`,
});

const event = z.strictObject({
  verb: z.enum(['create', 'edit', 'delete', 'use', 'deny', 'reveal']),
  object: scenarioNameSchema.optional(),
  who: scenarioNameSchema.optional(),
  door: scenarioNameSchema.optional(),
  action: scenarioNameSchema.optional(),
  signal: scenarioNameSchema.optional(),
  state: scenarioNameSchema.optional(),
  method: z.enum(accessMethods).optional(),
  reason: scenarioDenialReasonSchema.optional(),
  /** Time of the event in the time zone of the first site: `22:05`. */
  at: z
    .string()
    .regex(/^\d{2}:\d{2}$/)
    .optional(),
  time_trusted: z.boolean().optional(),
  /** The exact number of matching events. */
  count: z.int().min(0).default(1),
});
type EventPlan = z.infer<typeof event>;

/** An event in the terms of a scenario file. */
type Facts = { readonly [K in keyof Omit<EventPlan, 'count'>]?: EventPlan[K] | string | null };

const factsOf = (world: ScenarioWorld, { subject, object, verb, reason, created_at }: EventResponse): Facts => ({
  verb,
  object: object.type,
  // The acting member, or the member that the event is about.
  who: world.members.nameOf(subject.member_id ?? object.member_id),
  door: world.bridge.doorNamed(object.gadget_id),
  action: object.gadget_action_id ?? null,
  signal: object.gadget_signal_id ?? null,
  state: object.gadget_state_id ?? null,
  method: subject.access_method ?? null,
  reason: reason ?? null,
  at: formatScenarioTime(toInstant(created_at), world.zone).slice(4),
  time_trusted: subject.time_trusted ?? null,
});

const matches = (actual: Facts, { count: _, at, ...expected }: EventPlan): boolean =>
  (at === undefined || actual.at?.startsWith(at) === true) &&
  Object.entries(expected).every(([field, value]) => value === undefined || value === actual[field as keyof Facts]);

const describeEvent = ({
  verb,
  object,
  door,
  action,
  signal,
  state,
  who,
  method,
  reason,
  at,
  time_trusted,
}: Facts): string =>
  [
    verb,
    object,
    door,
    action ?? signal ?? state,
    who && `by ${who}`,
    method && `(${method})`,
    reason && `because ${reason}`,
    at && `at ${at}`,
    time_trusted === false && 'by an untrusted clock',
  ]
    .filter(Boolean)
    .join(' ');

const compare = (world: ScenarioWorld, events: readonly EventResponse[], plan: EventPlan): string | null => {
  const all = events.map(event => factsOf(world, event));
  const found = all.filter(facts => matches(facts, plan)).length;
  if (found === plan.count) return null;
  const similar = all.filter(
    ({ verb, object }) => verb === plan.verb && (plan.object === undefined || object === plan.object),
  );
  return `${found} matching events; similar events: ${similar.map(describeEvent).join('; ') || 'none'}`;
};

const times = (count: number): string => (count === 1 ? 'exactly once' : count === 0 ? 'never' : `${count} times`);

export const scenarioEventExpectations = {
  event: defineAwaitedScenarioExpectation(
    event,
    plan => `The bridge has recorded ${times(plan.count)}: ${describeEvent(plan)}`,
    async ({ world }, plan) =>
      compare(world, await world.bridge.list<EventResponse>('/events?sort=created_at:asc&limit=100'), plan),
  ),
  webhook: defineAwaitedScenarioExpectation(
    event,
    plan => `The booking system has received ${times(plan.count)}: ${describeEvent(plan)}`,
    ({ world }, plan) => compare(world, world.webhooks, plan),
  ),
};
