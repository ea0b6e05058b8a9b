import * as z from 'zod';
import { inputRulesCopyRequest, inputRulesEdit } from '../admin/device.ts';
import { deviceResponse } from '../rest/device.ts';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

const input_rules = deviceResponse.shape.input_rules;

const rulesConflict = tolerantObjectSchema({
  yours: input_rules,
  theirs: input_rules,
  outcome: z.enum(['superseded', 'refused']),
  message: z.string().nullable(),
  edited_at: dateTimeSchema,
  at: dateTimeSchema,
});

/** A gadget that a rule of this controller can point at; own gadgets first. */
const destination = tolerantObjectSchema({
  gadget_id: idSchema('gadget'),
  device_id: idSchema('device'),
  name: z.string(),
  is_own: z.boolean(),
  actions: z.array(tolerantObjectSchema({ id: z.string(), name: z.string() })),
});

/** The technician. Both are null with the setup code, which identifies nobody. */
export const technicianIdentitySchema = tolerantObjectSchema({
  user_id: idSchema('user').nullable(),
  pass_id: z.string().nullable(),
});

/** An edit in force that reverts automatically unless it is confirmed. */
const provisional = tolerantObjectSchema({
  reverts_at: dateTimeSchema,
  seconds_left: z.number(),
  by: technicianIdentitySchema,
  /** The rules to revert to. */
  previous: input_rules,
});

/** A copy of the rules of this controller to another one of the site. */
const copy = tolerantObjectSchema({
  device_id: idSchema('device'),
  state: z.enum(['waiting', 'copied', 'refused']),
  /** Why it was refused. */
  reason: z.string().nullable(),
  message: z.string().nullable(),
  asked_at: dateTimeSchema,
});

/** `GET /technician/v1/input_rules`: the rules in force. Written as `technicianRulesEdit`. */
export const technicianRulesSchema = tolerantObjectSchema({
  device_id: idSchema('device').nullable(),
  input_rules,
  base: z.string(),
  /** Edited here, and not yet acknowledged by the bridge. */
  pending: z.boolean(),
  /**
   * An edit made here that the bridge rejected: the rules of the bridge are in force until the conflict is resolved.
   */
  conflict: rulesConflict.nullable(),
  provisional: provisional.nullable(),
  destinations: z.array(destination),
  /** The known other controllers of the site; rules can be copied to any controller of the site. */
  site_devices: z.array(tolerantObjectSchema({ id: idSchema('device'), name: z.string().nullable() })),
  copies: z.array(copy),
});
export type TechnicianRules = z.infer<typeof technicianRulesSchema>;

/** `POST /technician/v1/input_rules/check`: validates without saving. */
export const rulesCheckRequest = z.strictObject({ input_rules: z.array(z.unknown()) });

export const rulesCheckResponse = tolerantObjectSchema({
  ok: z.boolean(),
  problems: z.array(tolerantObjectSchema({ path: z.string(), code: z.string(), message: z.string() })),
});
export type RulesCheckResponse = z.infer<typeof rulesCheckResponse>;

/** `POST /technician/v1/input_rules/conflict`. */
export const rulesConflictResolutionRequest = z.strictObject({ keep: z.enum(['yours', 'theirs']) });

export const MIN_CONFIRMATION_S = 10;
export const MAX_CONFIRMATION_S = 600;

/** `PUT /technician/v1/input_rules`. */
export const technicianRulesEdit = inputRulesEdit.extend({
  /** The edit reverts unless it is confirmed within this time. Default: permanent at once. */
  confirm_within_s: z.int().min(MIN_CONFIRMATION_S).max(MAX_CONFIRMATION_S).optional(),
});

/** `POST /technician/v1/input_rules/copy`. */
export const technicianRulesCopyRequest = z.strictObject({
  to: inputRulesCopyRequest.shape.device_ids,
  own_gadgets: inputRulesCopyRequest.shape.own_gadgets,
});
