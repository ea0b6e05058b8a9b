import { accessMethods } from '@lintel/access-core/access-data-types';
import { resolveTimeZone } from '@lintel/access-core/time-zone';
import * as z from 'zod';
import {
  scenarioNameSchema,
  scenarioPinSchema,
  scenarioTimeSchema,
  scenarioCardUidSchema,
  scenarioWeeklyHoursSchema,
} from './field-schemas.ts';

const site = z.strictObject({
  timezone: z.string().refine(text => resolveTimeZone(text).ok, { error: 'must be a time zone such as Europe/Madrid' }),
  geo: z.strictObject({ lat: z.number(), lng: z.number(), radius: z.number().positive() }).optional(),
});

/** A door is written as its name and has the standard actions. Any other gadget lists its actions. */
const gadget = z.union([
  scenarioNameSchema.transform(door => ({ name: door, actions: ['open', 'unlock', 'lock'], isDoor: true })),
  z
    .strictObject({ name: scenarioNameSchema, actions: z.array(scenarioNameSchema).min(1).max(16) })
    .transform(other => ({ ...other, isDoor: false })),
]);

export const scenarioInputRuleSchema = z.strictObject({
  code: z
    .string()
    .regex(/^[0-9*#]*$/)
    .max(20),
  door: scenarioNameSchema,
  action: scenarioNameSchema.default('open'),
});

const controller = z.strictObject({
  site: scenarioNameSchema.optional(),
  doors: z.array(gadget).min(1).max(16),
  rules: z.array(scenarioInputRuleSchema).max(32).default([]),
});

export const scenarioPermissionSchema = z.union([
  scenarioNameSchema,
  z.strictObject({
    door: scenarioNameSchema.optional(),
    site: scenarioNameSchema.optional(),
    action: scenarioNameSchema.optional(),
    schedule: scenarioNameSchema.optional(),
    methods: z.array(z.enum(accessMethods)).optional(),
    presence: z.literal('gps').optional(),
    group: scenarioNameSchema.optional(),
  }),
]);
export type ScenarioPermissionPlan = z.infer<typeof scenarioPermissionSchema>;

export const scenarioGroupAssociationSchema = z.union([
  scenarioNameSchema,
  z.strictObject({
    group: scenarioNameSchema,
    starts: scenarioTimeSchema.optional(),
    ends: scenarioTimeSchema.optional(),
  }),
]);

/** The dates limit all access of the member. A group association can have its own dates for extra access. */
export const scenarioMemberSchema = z.strictObject({
  starts: scenarioTimeSchema.optional(),
  ends: scenarioTimeSchema.optional(),
  groups: z.array(scenarioGroupAssociationSchema).default([]),
  pin: scenarioPinSchema.optional(),
  card: scenarioCardUidSchema.optional(),
  /** Has a phone with a member token. */
  phone: z.boolean().default(false),
});
export type ScenarioMemberPlan = z.infer<typeof scenarioMemberSchema>;

const trigger = z.strictObject({
  when: z
    .strictObject({
      door: scenarioNameSchema,
      state: scenarioNameSchema.optional(),
      signal: scenarioNameSchema.optional(),
    })
    .refine(({ state, signal }) => (state === undefined) !== (signal === undefined), {
      error: 'must name a state or a signal',
    }),
  do: z.strictObject({ door: scenarioNameSchema, action: scenarioNameSchema }),
});

export const scenarioWorldSchema = z.strictObject({
  /** Start of the scenario in the time zone of the first site. */
  begins: scenarioTimeSchema.refine(text => /^\d{4}-/.test(text), {
    error: 'must be a date and a time: "2026-06-01 14:00"',
  }),
  sites: z
    .record(scenarioNameSchema, site)
    .refine(sites => Object.keys(sites).length > 0, { error: 'must have at least one site' }),
  schedules: z.record(scenarioNameSchema, scenarioWeeklyHoursSchema).default({}),
  controllers: z
    .record(scenarioNameSchema, controller)
    .refine(all => Object.keys(all).length > 0, { error: 'must have at least one controller' }),
  groups: z.record(scenarioNameSchema, z.array(scenarioPermissionSchema)).default({}),
  members: z.record(scenarioNameSchema, scenarioMemberSchema).default({}),
  triggers: z.array(trigger).default([]),
  /** Object types of the events that the booking system subscribes to. */
  webhook: z.array(scenarioNameSchema).default([]),
});
export type ScenarioWorldPlan = z.infer<typeof scenarioWorldSchema>;
