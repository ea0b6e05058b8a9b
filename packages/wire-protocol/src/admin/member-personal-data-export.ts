import * as z from 'zod';
import { eventResponseSchema } from '../rest/event.ts';
import { memberResponseSchema } from '../rest/member.ts';
import { memberCardResponseSchema } from '../rest/member-card.ts';
import { memberEmailResponseSchema } from '../rest/member-email.ts';
import { memberGroupAssociationResponseSchema } from '../rest/member-group-association.ts';
import { memberMagicLinkResponseSchema } from '../rest/member-magic-link.ts';
import { memberPinResponseSchema } from '../rest/member-pin.ts';
import { memberTokenResponseSchema } from '../rest/member-token.ts';
import { webhookDeliveryResponseSchema } from '../rest/webhook-delivery.ts';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** All data about one member, deleted objects included, without PINs, links and other secrets. */
export const personalDataResponseSchema = tolerantObjectSchema({
  exported_at: dateTimeSchema,
  member: memberResponseSchema,
  emails: z.array(memberEmailResponseSchema),
  magic_links: z.array(memberMagicLinkResponseSchema),
  pins: z.array(memberPinResponseSchema),
  cards: z.array(memberCardResponseSchema),
  tokens: z.array(memberTokenResponseSchema),
  group_associations: z.array(memberGroupAssociationResponseSchema),
  /** What the member did, and what was done to the member, by users too. */
  events: z.array(eventResponseSchema),
  /** Deliveries of these events to webhooks. */
  deliveries: z.array(webhookDeliveryResponseSchema),
});
export type PersonalDataResponse = z.infer<typeof personalDataResponseSchema>;
