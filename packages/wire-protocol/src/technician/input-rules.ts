import * as z from 'zod';
import { editInputRulesRequestSchema } from '../admin/device-input-rules.ts';
import { deviceResponseSchema } from '../rest/device.ts';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

const input_rules = deviceResponseSchema.shape.input_rules;

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

/** The technician. All are null with the setup code, which identifies nobody. */
export const technicianIdentitySchema = tolerantObjectSchema({
  user_id: idSchema('user').nullable(),
  pass_id: z.string().nullable(),
  user_name: z.string().nullish(),
});
export type TechnicianIdentity = z.infer<typeof technicianIdentitySchema>;

/** An edit in force that reverts automatically unless it is confirmed. */
const provisional = tolerantObjectSchema({
  reverts_at: dateTimeSchema,
  seconds_left: z.number(),
  by: technicianIdentitySchema,
  /** The rules to revert to. */
  previous: input_rules,
});

/** A copy of rules to another controller of the site, the newest for each controller. */
const copy = tolerantObjectSchema({
  device_id: idSchema('device'),
  /** `waiting` for the other controller, then `on_trial` there, then `kept` or `reverted`; or `refused`. */
  state: z.enum(['waiting', 'on_trial', 'kept', 'reverted', 'refused']),
  input_rules,
  /** The rules that the copy replaces. */
  previous: input_rules,
  seconds_left: z.number().nullable(),
  /** Why the last step was refused. */
  reason: z.string().nullable(),
  message: z.string().nullable(),
});

/** An earlier version of the rules, or the current one. */
const version = tolerantObjectSchema({
  at: dateTimeSchema,
  /** Null when the rules were changed in the bridge. */
  by: technicianIdentitySchema.nullable(),
  input_rules,
});

/** `GET /technician/v1/input_rules`: the rules in force. Written as `technicianEditInputRulesRequestSchema`. */
export const technicianInputRulesResponseSchema = tolerantObjectSchema({
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
  /** The known other controllers of the site, with their rules as the bridge has them; null if unknown. */
  site_devices: z.array(
    tolerantObjectSchema({
      id: idSchema('device'),
      name: z.string().nullable(),
      input_rules: input_rules.nullable(),
    }),
  ),
  copies: z.array(copy),
  /** The versions of the rules that were kept, the newest first. */
  history: z.array(version),
});
export type TechnicianInputRulesResponse = z.infer<typeof technicianInputRulesResponseSchema>;

/** `POST /technician/v1/input_rules/check`: validates without saving. */
export const inputRulesCheckRequestSchema = z.strictObject({ input_rules: z.array(z.unknown()) });

export const inputRulesCheckResponseSchema = tolerantObjectSchema({
  ok: z.boolean(),
  problems: z.array(tolerantObjectSchema({ path: z.string(), code: z.string(), message: z.string() })),
});
export type InputRulesCheckResponse = z.infer<typeof inputRulesCheckResponseSchema>;

/** `POST /technician/v1/input_rules/conflict`. */
export const inputRulesConflictResolutionRequestSchema = z.strictObject({ keep: z.enum(['yours', 'theirs']) });

export const MIN_INPUT_RULES_CONFIRMATION_S = 10;
export const MAX_INPUT_RULES_CONFIRMATION_S = 600;

/** `PUT /technician/v1/input_rules`. */
export const technicianEditInputRulesRequestSchema = editInputRulesRequestSchema.extend({
  /** The edit reverts unless it is confirmed within this time. Default: permanent at once. */
  confirm_within_s: z.int().min(MIN_INPUT_RULES_CONFIRMATION_S).max(MAX_INPUT_RULES_CONFIRMATION_S).optional(),
});

/** `POST /technician/v1/input_rules/copy`: starts a trial on another controller. */
export const technicianInputRulesCopyRequestSchema = z.strictObject({
  to: idSchema('device'),
  input_rules: z.array(z.unknown()),
  /** The rules of the target that the technician has seen. */
  previous: z.array(z.unknown()),
  confirm_within_s: z.int().min(MIN_INPUT_RULES_CONFIRMATION_S).max(MAX_INPUT_RULES_CONFIRMATION_S),
});

/** `POST /technician/v1/input_rules/copy/confirm`, `…/revert` and `…/undo`. */
export const technicianConfirmOrRevertInputRulesCopyRequestSchema = z.strictObject({ to: idSchema('device') });
