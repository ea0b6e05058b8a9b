import { denialReasons } from '@lintel/access-core/access-model';
import { accessMethods } from '@lintel/wire-protocol/rest/access-method';
import type { EventAnswer } from '@lintel/wire-protocol/rest/event';
import { instantOf } from '@lintel/wire-protocol/schema-parts/date-time';
import * as z from 'zod';
import { name } from '../named-texts.ts';
import { clockText } from '../scenario-time.ts';
import type { ScenarioWorld } from '../scenario-world.ts';
import { awaitedExpectation } from './step-kind.ts';

export const reason = z.enum(denialReasons, { error: `must be one of ${denialReasons.join(', ')}` });

const event = z.strictObject({
  verb: z.enum(['create', 'edit', 'delete', 'use', 'deny', 'reveal']),
  object: name.optional(),
  who: name.optional(),
  door: name.optional(),
  action: name.optional(),
  signal: name.optional(),
  state: name.optional(),
  method: z.enum(accessMethods).optional(),
  reason: reason.optional(),
  /** When it happened, by the clock of the first site: `22:05`. */
  at: z
    .string()
    .regex(/^\d{2}:\d{2}$/)
    .optional(),
  time_trusted: z.boolean().optional(),
  /** No more and no fewer. */
  count: z.int().min(0).default(1),
});
type EventPlan = z.infer<typeof event>;

/** An event in the terms of a scenario file. */
type Facts = { readonly [K in keyof Omit<EventPlan, 'count'>]?: EventPlan[K] | string | null };

const factsOf = (world: ScenarioWorld, { subject, object, verb, reason, created_at }: EventAnswer): Facts => ({
  verb,
  object: object.type,
  // The member who acted, or the member that was acted on.
  who: world.people.nameOf(subject.member_id ?? object.member_id),
  door: world.bridge.doorNamed(object.gadget_id),
  action: object.gadget_action_id ?? null,
  signal: object.gadget_signal_id ?? null,
  state: object.gadget_state_id ?? null,
  method: subject.access_method ?? null,
  reason: reason ?? null,
  at: clockText(instantOf(created_at), world.zone).slice(4),
  time_trusted: subject.time_trusted ?? null,
});

const matches = (seen: Facts, { count: _, at, ...wanted }: EventPlan): boolean =>
  (at === undefined || seen.at?.startsWith(at) === true) &&
  Object.entries(wanted).every(([field, value]) => value === undefined || value === seen[field as keyof Facts]);

const inWords = ({ verb, object, door, action, signal, state, who, method, reason, at, time_trusted }: Facts): string =>
  [
    verb,
    object,
    door,
    action ?? signal ?? state,
    who && `by ${who}`,
    method && `(${method})`,
    reason && `because ${reason}`,
    at && `at ${at}`,
    time_trusted === false && 'by a clock that is not trusted',
  ]
    .filter(Boolean)
    .join(' ');

const compare = (world: ScenarioWorld, events: readonly EventAnswer[], plan: EventPlan): string | null => {
  const all = events.map(one => factsOf(world, one));
  const found = all.filter(one => matches(one, plan)).length;
  if (found === plan.count) return null;
  const similar = all.filter(
    ({ verb, object }) => verb === plan.verb && (plan.object === undefined || object === plan.object),
  );
  return `${found} of them; there are: ${similar.map(inWords).join('; ') || 'none of this kind'}`;
};

const times = (count: number): string => (count === 1 ? 'exactly once' : count === 0 ? 'never' : `${count} times`);

export const eventExpectations = {
  event: awaitedExpectation(
    event,
    plan => `The bridge has the event ${times(plan.count)}: ${inWords(plan)}`,
    async ({ world }, plan) =>
      compare(world, await world.bridge.list<EventAnswer>('/events?sort=created_at:asc&limit=100'), plan),
  ),
  webhook: awaitedExpectation(
    event,
    plan => `The booking system has heard ${times(plan.count)}: ${inWords(plan)}`,
    ({ world }, plan) => compare(world, world.webhooks, plan),
  ),
};
