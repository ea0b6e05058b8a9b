import { resolveTimeZone } from '@lintel/access-core/time-zone';
import { accessMethods } from '@lintel/wire-protocol/rest/access-method';
import * as z from 'zod';
import { name, pin, time, uid, weeklyHoursText } from './field-schemas.ts';

const site = z.strictObject({
  timezone: z.string().refine(text => resolveTimeZone(text).ok, { error: 'must be a time zone such as Europe/Madrid' }),
  geo: z.strictObject({ lat: z.number(), lng: z.number(), radius: z.number().positive() }).optional(),
});

/** A door is written as its name and has the standard actions. Any other gadget lists its actions. */
const gadget = z.union([
  name.transform(door => ({ name: door, actions: ['open', 'unlock', 'lock'], isDoor: true })),
  z.strictObject({ name, actions: z.array(name).min(1).max(16) }).transform(other => ({ ...other, isDoor: false })),
]);

export const rule = z.strictObject({
  code: z
    .string()
    .regex(/^[0-9*#]*$/)
    .max(20),
  door: name,
  action: name.default('open'),
});

const controller = z.strictObject({
  site: name.optional(),
  doors: z.array(gadget).min(1).max(16),
  rules: z.array(rule).max(32).default([]),
});

export const permission = z.union([
  name,
  z.strictObject({
    door: name.optional(),
    site: name.optional(),
    action: name.optional(),
    schedule: name.optional(),
    methods: z.array(z.enum(accessMethods)).optional(),
    presence: z.literal('gps').optional(),
    group: name.optional(),
  }),
]);
export type PermissionPlan = z.infer<typeof permission>;

export const groupAssociation = z.union([
  name,
  z.strictObject({ group: name, starts: time.optional(), ends: time.optional() }),
]);

/** The dates limit all access of the member. A group association can have its own dates for extra access. */
export const member = z.strictObject({
  starts: time.optional(),
  ends: time.optional(),
  groups: z.array(groupAssociation).default([]),
  pin: pin.optional(),
  card: uid.optional(),
  /** Has a phone with a member token. */
  phone: z.boolean().default(false),
});
export type MemberPlan = z.infer<typeof member>;

const trigger = z.strictObject({
  when: z
    .strictObject({ door: name, state: name.optional(), signal: name.optional() })
    .refine(({ state, signal }) => (state === undefined) !== (signal === undefined), {
      error: 'must name a state or a signal',
    }),
  do: z.strictObject({ door: name, action: name }),
});

export const world = z.strictObject({
  /** Start of the scenario in the time zone of the first site. */
  begins: time.refine(text => /^\d{4}-/.test(text), { error: 'must be a date and a time: "2026-06-01 14:00"' }),
  sites: z.record(name, site).refine(sites => Object.keys(sites).length > 0, { error: 'must have at least one site' }),
  schedules: z.record(name, weeklyHoursText).default({}),
  controllers: z
    .record(name, controller)
    .refine(all => Object.keys(all).length > 0, { error: 'must have at least one controller' }),
  groups: z.record(name, z.array(permission)).default({}),
  members: z.record(name, member).default({}),
  triggers: z.array(trigger).default([]),
  /** Object types of the events that the booking system subscribes to. */
  webhook: z.array(name).default([]),
});
export type WorldPlan = z.infer<typeof world>;
