import { denialReasons } from '@lintel/access-core/access-data-types';
import * as z from 'zod';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

const typedCode = z.string().max(64);

const pinCredential = z.strictObject({
  type: z.literal('pin'),
  pin: z.string().regex(/^[0-9]{4,20}$/, { error: 'must be 4 to 20 digits' }),
});
const nextCardCredential = z.strictObject({ type: z.literal('next_card') });

/** `POST /technician/v1/input_rules/try`: the decision for this credential after this code. Executes nothing. */
export const credentialTestRequestBodySchema = z.strictObject({
  /** As in a rule; empty for the default rule. */
  code: typedCode,
  credential: z.discriminatedUnion('type', [pinCredential, nextCardCredential]),
  /** Rules to test instead of those in force. */
  input_rules: z.array(z.unknown()).optional(),
});

export const credentialTestResponseSchema = tolerantObjectSchema({
  /** `no_card`: no card was presented in time, and the other fields are null. */
  outcome: z.enum(['tried', 'no_card']),
  /** Null if no rule has this code or there are no rules. */
  rule: tolerantObjectSchema({ code: z.string(), gadget_id: idSchema('gadget'), action_id: z.string() }).nullable(),
  granted: z.boolean().nullable(),
  reason: openEnumSchema(denialReasons).nullable(),
  subject: tolerantObjectSchema({
    member_id: idSchema('member').nullable(),
    /** The technician, for the commissioning credential. */
    user_id: idSchema('user').nullable(),
    access_method: z.string(),
    is_commissioning: z.boolean(),
  }).nullable(),
  /** The action that would be executed or was denied. Another device that owns the gadget decides again. */
  would: tolerantObjectSchema({ gadget_id: idSchema('gadget'), action_id: z.string(), is_own: z.boolean() }).nullable(),
  /** Only the last byte of the uid is visible. */
  card: z.string().nullable(),
});
export type CredentialTestResponse = z.infer<typeof credentialTestResponseSchema>;
