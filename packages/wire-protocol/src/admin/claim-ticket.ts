import * as z from 'zod';
import { dateTime } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnum } from '../schema-parts/open-enum.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';

const claimTicketStatuses = ['open', 'redeemed', 'revoked', 'expired'] as const;
export type ClaimTicketStatus = (typeof claimTicketStatuses)[number];

export const claimTicketResponse = tolerantObject({
  id: idSchema('claim_ticket'),
  organization_id: idSchema('organization'),
  site_id: idSchema('site'),
  /** The device to replace; null if the claim creates a new device. */
  device_id: idSchema('device').nullable(),
  status: openEnum(claimTicketStatuses),
  created_at: dateTime,
  expires_at: dateTime,
});
export type ClaimTicketResponse = z.infer<typeof claimTicketResponse>;

/** The ticket and its code are returned only once. */
export const claimTicketCreatedResponse = tolerantObject({
  ...claimTicketResponse.shape,
  ticket: z.string(),
  code: z.string(),
});

const DAY_SECONDS = 86_400;

/** One week by default, because the controller may not have a network connection yet. */
export const claimTicketCreate = z.strictObject({
  site_id: idSchema('site'),
  device_id: idSchema('device').nullish(),
  expires_in: z
    .int()
    .min(60)
    .max(30 * DAY_SECONDS)
    .default(7 * DAY_SECONDS),
});
export type ClaimTicketCreate = z.infer<typeof claimTicketCreate>;
