import { denialReasons } from '@lintel/access-core/access-model';
import { accessMethods } from '@lintel/wire-protocol/rest/access-method';
import * as z from 'zod';
import { duration, keys, name, oneOf, oneOrMore, pin, time, uid, weekly } from './named-texts.ts';
import { belonging, member, permission, rule } from './world-schema.ts';

/** What people and faults do. `at` is a controller, or one of its doors. */
const act = oneOf({
  /** Keys as they are, or somebody's PIN. */
  type: z
    .strictObject({ keys: keys.optional(), who: name.optional(), at: name })
    .refine(given => given.keys !== undefined || given.who !== undefined, {
      error: 'must say who types, or which keys',
    }),
  tap: z
    .strictObject({ card: uid.optional(), who: name.optional(), at: name })
    .refine(given => given.card !== undefined || given.who !== undefined, {
      error: 'must say who taps, or which card',
    }),
  tap_phone: z.strictObject({ who: name, at: name }),
  exit: name,
  push: name,
  force: name,
  close: name,

  cut_internet: name,
  restore_internet: name,
  cut_power: name,
  restore_power: name,
  step_clock: z
    .strictObject({ at: name, ahead: duration.optional(), behind: duration.optional() })
    .refine(({ ahead, behind }) => (ahead === undefined) !== (behind === undefined), {
      error: 'must say how far ahead, or how far behind',
    }),

  create_member: z.strictObject({ name, ...member.shape }),
  edit_member: z.strictObject({ who: name, starts: time.nullish(), ends: time.nullish() }),
  delete_member: name,
  undelete_member: name,
  create_pin: z.strictObject({ who: name, pin }),
  delete_pin: name,
  create_card: z.strictObject({ who: name, card: uid }),
  delete_card: name,
  join: z.strictObject({ who: name, group: belonging }),
  leave: z.strictObject({ who: name, group: name }),
  edit_group: z.strictObject({ group: name, permissions: z.array(permission) }),
  edit_schedule: z.strictObject({ schedule: name, hours: weekly }),
  delete_schedule: name,
  edit_rules: z.strictObject({ at: name, rules: z.array(rule) }),

  act_as_member: z.strictObject({
    who: name,
    door: name,
    action: name.default('open'),
    location: z.strictObject({ lat: z.number(), lng: z.number() }).optional(),
  }),
  act: z.strictObject({ door: name, action: name.default('open') }),
  webhook_answers: z.enum(['ok', 'failure']),
});
export type Act = z.infer<typeof act>;
export type ActOf<K extends keyof Act> = NonNullable<Act[K]>;

const reason = z.enum(denialReasons, { error: `must be one of ${denialReasons.join(', ')}` });

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
export type EventPlan = z.infer<typeof event>;

const expectation = oneOf({
  /** It unlocks, and the controller says for whom. */
  opens: name,
  stays_locked: z.strictObject({ door: name, reason: reason.optional() }),
  unlocked: name,
  locked: name,
  /** Of the last thing that was asked of the bridge. */
  answer: z.strictObject({ status: z.int(), type: name.optional(), reason: reason.optional() }),
  event,
  webhook: event,
  waiting_events: z.strictObject({ at: name, count: z.int().min(0) }),
  pin_reached: z.strictObject({ who: name, at: z.array(name) }),
  online: name,
  offline: name,
  member: z.strictObject({ who: name, is_deleted: z.boolean() }),
  state: z.strictObject({ door: name, state: name }),
  fault: z.strictObject({ at: name, code: name }),
  no_fault: z.strictObject({ at: name, code: name }),
  time: z.strictObject({ at: name, trusted: z.boolean() }),
});
export type Expectation = z.infer<typeof expectation>;
export type ExpectationOf<K extends keyof Expectation> = NonNullable<Expectation[K]>;

export const step = z
  .strictObject({
    at: time.optional(),
    do: oneOrMore(act).optional(),
    expect: oneOrMore(expectation).optional(),
  })
  .refine(({ at, do: acts, expect }) => at !== undefined || acts !== undefined || expect !== undefined, {
    error: 'must say when, what to do or what to expect',
  });
