import * as z from 'zod';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

const claimTicketStatuses = ['open', 'redeemed', 'revoked', 'expired'] as const;
export type ClaimTicketStatus = (typeof claimTicketStatuses)[number];

export const claimTicketResponseSchema = tolerantObjectSchema({
  id: idSchema('claim_ticket'),
  organization_id: idSchema('organization'),
  site_id: idSchema('site'),
  /** The device to replace; null if the claim creates a new device. */
  device_id: idSchema('device').nullable(),
  status: openEnumSchema(claimTicketStatuses),
  created_at: dateTimeSchema,
  expires_at: dateTimeSchema,
});
export type ClaimTicketResponse = z.infer<typeof claimTicketResponseSchema>;

/** The ticket and its code are returned only once. */
export const claimTicketCreatedResponseSchema = tolerantObjectSchema({
  ...claimTicketResponseSchema.shape,
  ticket: z.string(),
  code: z.string(),
  /** Where the controller redeems it, as in the ticket. */
  bridge_url: z.string(),
  /** The authority that the controller trusts with the code; null if a public authority or no TLS is used. */
  ca_fingerprint: z.string().nullable(),
});
export type ClaimTicketCreatedResponse = z.infer<typeof claimTicketCreatedResponseSchema>;

const DAY_SECONDS = 86_400;

/** One week by default, because the controller may not have a network connection yet. */
export const createClaimTicketRequestSchema = z.strictObject({
  site_id: idSchema('site'),
  device_id: idSchema('device').nullish(),
  expires_in: z
    .int()
    .min(60)
    .max(30 * DAY_SECONDS)
    .default(7 * DAY_SECONDS),
});
export type CreateClaimTicketRequest = z.infer<typeof createClaimTicketRequestSchema>;
