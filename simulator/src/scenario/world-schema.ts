import { zoneFor } from '@lintel/access-core/time-zone';
import { accessMethods } from '@lintel/wire-protocol/rest/access-method';
import * as z from 'zod';
import { name, pin, time, uid, weekly } from './named-texts.ts';

const site = z.strictObject({
  timezone: z.string().refine(text => zoneFor(text).ok, { error: 'must be a time zone such as Europe/Madrid' }),
  geo: z.strictObject({ lat: z.number(), lng: z.number(), radius: z.number().positive() }).optional(),
});

/** A door is a name alone and has these actions; any other gadget lists its own. */
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
export type Permission = z.infer<typeof permission>;

export const belonging = z.union([
  name,
  z.strictObject({ group: name, starts: time.optional(), ends: time.optional() }),
]);

/** Dates are on the member; a group has its own only for extra access on top. */
export const member = z.strictObject({
  starts: time.optional(),
  ends: time.optional(),
  groups: z.array(belonging).default([]),
  pin: pin.optional(),
  card: uid.optional(),
  /** Carries a phone with a member token. */
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
  /** The clock of the first site shows it when the scenario begins. */
  begins: time.refine(text => /^\d{4}-/.test(text), { error: 'must be a date and a time: "2026-06-01 14:00"' }),
  sites: z.record(name, site).refine(sites => Object.keys(sites).length > 0, { error: 'must have a site' }),
  schedules: z.record(name, weekly).default({}),
  controllers: z
    .record(name, controller)
    .refine(all => Object.keys(all).length > 0, { error: 'must have a controller' }),
  groups: z.record(name, z.array(permission)).default({}),
  members: z.record(name, member).default({}),
  triggers: z.array(trigger).default([]),
  /** What the booking system wants to hear of. */
  webhook: z.array(name).default([]),
});
export type WorldPlan = z.infer<typeof world>;
