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
  device_id: idSchema('device')
    .nullable()
    .describe('Id of the device to replace. Null: the claim creates a new device'),
  status: openEnumSchema(claimTicketStatuses).describe('Whether the ticket can be redeemed: only while open'),
  created_at: dateTimeSchema.describe('Time of creation, ISO 8601 in UTC'),
  expires_at: dateTimeSchema.describe('End of validity, ISO 8601 in UTC'),
}).describe('A ticket with which a controller joins the organization');
export type ClaimTicketResponse = z.infer<typeof claimTicketResponseSchema>;

/** The ticket and its code are returned only once. */
export const claimTicketCreatedResponseSchema = tolerantObjectSchema({
  ...claimTicketResponseSchema.shape,
  ticket: z.string().describe('The ticket, for a controller. Shown once'),
  code: z.string().describe('Code to type at the controller. Shown once'),
  bridge_url: z.string().describe('Address at which the controller redeems the ticket'),
  ca_fingerprint: z
    .string()
    .nullable()
    .describe(
      'Fingerprint of the authority that the controller trusts with the code. Null if a public authority or no TLS is used',
    ),
}).describe('A new claim ticket with its secrets');
export type ClaimTicketCreatedResponse = z.infer<typeof claimTicketCreatedResponseSchema>;

const DAY_SECONDS = 86_400;

/** One week by default, because the controller may not have a network connection yet. */
export const createClaimTicketRequestSchema = z.strictObject({
  site_id: idSchema('site'),
  device_id: idSchema('device')
    .nullish()
    .describe('Id of the device to replace. Null or absent: the claim creates a new device'),
  expires_in: z
    .int()
    .min(60)
    .max(30 * DAY_SECONDS)
    .default(7 * DAY_SECONDS)
    .describe('Validity in seconds, 60 to 2592000'),
});
export type CreateClaimTicketRequest = z.infer<typeof createClaimTicketRequestSchema>;
