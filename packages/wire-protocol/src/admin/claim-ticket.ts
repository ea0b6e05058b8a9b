import * as z from 'zod';
import { dateTime } from '../schema-parts/date-time.ts';
import { idOf } from '../schema-parts/identifier.ts';
import { openEnum } from '../schema-parts/open-enum.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';

const claimTicketStatuses = ['open', 'redeemed', 'revoked', 'expired'] as const;
export type ClaimTicketStatus = (typeof claimTicketStatuses)[number];

export const claimTicketAnswer = tolerantObject({
  id: idOf('claim_ticket'),
  organization_id: idOf('organization'),
  site_id: idOf('site'),
  /** The device whose hardware is claimed; null when the claim makes a new one. */
  device_id: idOf('device').nullable(),
  status: openEnum(claimTicketStatuses),
  created_at: dateTime,
  expires_at: dateTime,
});
export type ClaimTicketAnswer = z.infer<typeof claimTicketAnswer>;

/** The ticket itself and its short form are shown this once. */
export const claimTicketCreated = tolerantObject({
  ...claimTicketAnswer.shape,
  ticket: z.string(),
  code: z.string(),
});

const DAY_SECONDS = 86_400;

/** A week by default: the door may have no line yet. */
export const claimTicketCreate = z.strictObject({
  site_id: idOf('site'),
  device_id: idOf('device').nullish(),
  expires_in: z
    .int()
    .min(60)
    .max(30 * DAY_SECONDS)
    .default(7 * DAY_SECONDS),
});
export type ClaimTicketCreate = z.infer<typeof claimTicketCreate>;
