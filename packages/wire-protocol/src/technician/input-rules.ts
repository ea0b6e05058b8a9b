import * as z from 'zod';
import { inputRulesCopy, inputRulesEdit } from '../admin/device.ts';
import { deviceAnswer } from '../rest/device.ts';
import { dateTime } from '../schema-parts/date-time.ts';
import { idOf } from '../schema-parts/identifier.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';

const input_rules = deviceAnswer.shape.input_rules;

const rulesConflict = tolerantObject({
  yours: input_rules,
  theirs: input_rules,
  outcome: z.enum(['superseded', 'refused']),
  message: z.string().nullable(),
  edited_at: dateTime,
  at: dateTime,
});

/** A gadget that a rule of this controller can point at, its own ones first. */
const destination = tolerantObject({
  gadget_id: idOf('gadget'),
  device_id: idOf('device'),
  name: z.string(),
  is_own: z.boolean(),
  actions: z.array(tolerantObject({ id: z.string(), name: z.string() })),
});

/** Who works at the controller. Both are null under the setup code: then nobody knows who it is. */
export const technicianName = tolerantObject({ user_id: idOf('user').nullable(), pass_id: z.string().nullable() });

/** An edit that is in force and ends by itself unless it is confirmed. */
const provisional = tolerantObject({
  reverts_at: dateTime,
  seconds_left: z.number(),
  by: technicianName,
  /** What holds again when it is not confirmed. */
  previous: input_rules,
});

/** The rules of this controller for another one of the site. */
const copy = tolerantObject({
  device_id: idOf('device'),
  state: z.enum(['waiting', 'copied', 'refused']),
  /** Why it was refused. */
  reason: z.string().nullable(),
  message: z.string().nullable(),
  asked_at: dateTime,
});

/** `GET /technician/v1/input_rules`: as they hold at the door now. They are written as `technicianRulesEdit`. */
export const technicianRules = tolerantObject({
  device_id: idOf('device').nullable(),
  input_rules,
  base: z.string(),
  /** Edited here, and the bridge has not answered yet. */
  pending: z.boolean(),
  /** An edit made here that the bridge did not take over: the desk's rules are in force until a person has settled it. */
  conflict: rulesConflict.nullable(),
  provisional: provisional.nullable(),
  destinations: z.array(destination),
  /** Other controllers of the site, as far as this one knows of them; the rules can be copied to any of the site. */
  site_devices: z.array(tolerantObject({ id: idOf('device'), name: z.string().nullable() })),
  copies: z.array(copy),
});
export type TechnicianRules = z.infer<typeof technicianRules>;

/** `POST /technician/v1/input_rules/check`: the verdict without the deed. */
export const rulesCheck = z.strictObject({ input_rules: z.array(z.unknown()) });

export const rulesChecked = tolerantObject({
  ok: z.boolean(),
  problems: z.array(tolerantObject({ path: z.string(), code: z.string(), message: z.string() })),
});
export type RulesChecked = z.infer<typeof rulesChecked>;

/** `POST /technician/v1/input_rules/conflict`. */
export const rulesSettlement = z.strictObject({ keep: z.enum(['yours', 'theirs']) });

export const SHORTEST_CONFIRMATION_S = 10;
export const LONGEST_CONFIRMATION_S = 600;

/** `PUT /technician/v1/input_rules`. */
export const technicianRulesEdit = inputRulesEdit.extend({
  /** The edit ends by itself unless it is confirmed within this time. Left out, it lasts at once. */
  confirm_within_s: z.int().min(SHORTEST_CONFIRMATION_S).max(LONGEST_CONFIRMATION_S).optional(),
});

/** `POST /technician/v1/input_rules/copy`. */
export const technicianRulesCopy = z.strictObject({
  to: inputRulesCopy.shape.device_ids,
  own_gadgets: inputRulesCopy.shape.own_gadgets,
});
