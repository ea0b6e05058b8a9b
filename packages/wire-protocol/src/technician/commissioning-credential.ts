import * as z from 'zod';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { technicianIdentitySchema } from './input-rules.ts';

/** `POST /technician/v1/commissioning`: replaces the current commissioning credential. */
export const createCommissioningCredentialRequestSchema = z.strictObject({ kind: z.enum(['pin', 'next_card']) });

const credential = {
  kind: z.enum(['pin', 'card']).nullable(),
  /** Only the last byte of the uid is visible. */
  card: z.string().nullable(),
  expires_at: dateTimeSchema.nullable(),
  seconds_left: z.number().nullable(),
} as const;

export const createCommissioningCredentialResponseSchema = tolerantObjectSchema({
  /** `no_card`: no card was presented in time, and the other fields are null. */
  outcome: z.enum(['made', 'no_card']),
  ...credential,
  /** Returned only here. */
  pin: z.string().nullable(),
});
export type CreateCommissioningCredentialResponse = z.infer<typeof createCommissioningCredentialResponseSchema>;

/** `GET /technician/v1/commissioning`; without a credential, all fields but `active` and `uses` are null. */
export const commissioningCredentialStateResponseSchema = tolerantObjectSchema({
  active: z.boolean(),
  ...credential,
  by: technicianIdentitySchema.nullable(),
  /** Number of granted uses. */
  uses: z.int(),
});
export type CommissioningCredentialStateResponse = z.infer<typeof commissioningCredentialStateResponseSchema>;
