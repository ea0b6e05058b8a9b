import { resolveTimeZone } from '@lintel/access-core/time-zone';
import { accessMethods } from '@lintel/wire-protocol/rest/access-method';
import * as z from 'zod';
import { nameSchema, pinSchema, scenarioTimeSchema, uidSchema, weeklyHoursSchema } from './field-schemas.ts';

const site = z.strictObject({
  timezone: z.string().refine(text => resolveTimeZone(text).ok, { error: 'must be a time zone such as Europe/Madrid' }),
  geo: z.strictObject({ lat: z.number(), lng: z.number(), radius: z.number().positive() }).optional(),
});

/** A door is written as its name and has the standard actions. Any other gadget lists its actions. */
const gadget = z.union([
  nameSchema.transform(door => ({ name: door, actions: ['open', 'unlock', 'lock'], isDoor: true })),
  z
    .strictObject({ name: nameSchema, actions: z.array(nameSchema).min(1).max(16) })
    .transform(other => ({ ...other, isDoor: false })),
]);

export const inputRuleSchema = z.strictObject({
  code: z
    .string()
    .regex(/^[0-9*#]*$/)
    .max(20),
  door: nameSchema,
  action: nameSchema.default('open'),
});

const controller = z.strictObject({
  site: nameSchema.optional(),
  doors: z.array(gadget).min(1).max(16),
  rules: z.array(inputRuleSchema).max(32).default([]),
});

export const permissionSchema = z.union([
  nameSchema,
  z.strictObject({
    door: nameSchema.optional(),
    site: nameSchema.optional(),
    action: nameSchema.optional(),
    schedule: nameSchema.optional(),
    methods: z.array(z.enum(accessMethods)).optional(),
    presence: z.literal('gps').optional(),
    group: nameSchema.optional(),
  }),
]);
export type ScenarioPermissionPlan = z.infer<typeof permissionSchema>;

export const groupAssociationSchema = z.union([
  nameSchema,
  z.strictObject({ group: nameSchema, starts: scenarioTimeSchema.optional(), ends: scenarioTimeSchema.optional() }),
]);

/** The dates limit all access of the member. A group association can have its own dates for extra access. */
export const memberSchema = z.strictObject({
  starts: scenarioTimeSchema.optional(),
  ends: scenarioTimeSchema.optional(),
  groups: z.array(groupAssociationSchema).default([]),
  pin: pinSchema.optional(),
  card: uidSchema.optional(),
  /** Has a phone with a member token. */
  phone: z.boolean().default(false),
});
export type ScenarioMemberPlan = z.infer<typeof memberSchema>;

const trigger = z.strictObject({
  when: z
    .strictObject({ door: nameSchema, state: nameSchema.optional(), signal: nameSchema.optional() })
    .refine(({ state, signal }) => (state === undefined) !== (signal === undefined), {
      error: 'must name a state or a signal',
    }),
  do: z.strictObject({ door: nameSchema, action: nameSchema }),
});

export const scenarioWorldSchema = z.strictObject({
  /** Start of the scenario in the time zone of the first site. */
  begins: scenarioTimeSchema.refine(text => /^\d{4}-/.test(text), {
    error: 'must be a date and a time: "2026-06-01 14:00"',
  }),
  sites: z
    .record(nameSchema, site)
    .refine(sites => Object.keys(sites).length > 0, { error: 'must have at least one site' }),
  schedules: z.record(nameSchema, weeklyHoursSchema).default({}),
  controllers: z
    .record(nameSchema, controller)
    .refine(all => Object.keys(all).length > 0, { error: 'must have at least one controller' }),
  groups: z.record(nameSchema, z.array(permissionSchema)).default({}),
  members: z.record(nameSchema, memberSchema).default({}),
  triggers: z.array(trigger).default([]),
  /** Object types of the events that the booking system subscribes to. */
  webhook: z.array(nameSchema).default([]),
});
export type ScenarioWorldPlan = z.infer<typeof scenarioWorldSchema>;
