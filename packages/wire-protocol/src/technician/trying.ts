import * as z from 'zod';
import { denialReasons } from '../rest/event-terms.ts';
import { idOf } from '../schema-parts/identifier.ts';
import { openEnum } from '../schema-parts/open-enum.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';

const typedCode = z.string().max(64);

const pinCredential = z.strictObject({
  type: z.literal('pin'),
  pin: z.string().regex(/^[0-9]{4,20}$/, { error: 'must be 4 to 20 digits' }),
});
const nextCardCredential = z.strictObject({ type: z.literal('next_card') });

/** `POST /technician/v1/input_rules/try`: what this credential would come to after this code. Nothing moves. */
export const credentialTry = z.strictObject({
  /** As in a rule; empty for the default rule. */
  code: typedCode,
  credential: z.discriminatedUnion('type', [pinCredential, nextCardCredential]),
  /** Rules that are not in force yet. */
  input_rules: z.array(z.unknown()).optional(),
});
export type CredentialTry = z.infer<typeof credentialTry>;

export const credentialTried = tolerantObject({
  /** `no_card`: nobody has held one to a reader in time, and the rest is null. */
  outcome: z.enum(['tried', 'no_card']),
  /** Null where no rule has this code, and where there are no rules at all. */
  rule: tolerantObject({ code: z.string(), gadget_id: idOf('gadget'), action_id: z.string() }).nullable(),
  granted: z.boolean().nullable(),
  reason: openEnum(denialReasons).nullable(),
  subject: tolerantObject({
    member_id: idOf('member').nullable(),
    /** The technician, for the commissioning credential. */
    user_id: idOf('user').nullable(),
    access_method: z.string(),
    is_commissioning: z.boolean(),
  }).nullable(),
  /** What would be done, or what it was refused for. A gadget of another device: that one decides again. */
  would: tolerantObject({ gadget_id: idOf('gadget'), action_id: z.string(), is_own: z.boolean() }).nullable(),
  /** All but the last byte of its uid hidden. */
  card: z.string().nullable(),
});
export type CredentialTried = z.infer<typeof credentialTried>;
