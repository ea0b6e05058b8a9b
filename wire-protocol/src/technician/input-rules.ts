import * as z from 'zod';
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

/** `GET /technician/v1/input_rules`: as they hold at the door now. They are written as `inputRulesEdit`. */
export const technicianRules = tolerantObject({
  device_id: idOf('device').nullable(),
  input_rules,
  base: z.string(),
  /** Edited here, and the bridge has not answered yet. */
  pending: z.boolean(),
  /** An edit made here that the bridge did not take over: the desk's rules are in force until a person has settled it. */
  conflict: rulesConflict.nullable(),
  destinations: z.array(destination),
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
