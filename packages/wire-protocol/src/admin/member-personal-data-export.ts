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
  exported_at: dateTimeSchema.describe('Time of the export, ISO 8601 in UTC'),
  member: memberResponseSchema.describe('The member'),
  emails: z.array(memberEmailResponseSchema).describe('Emails of the member'),
  magic_links: z.array(memberMagicLinkResponseSchema).describe('Magic links of the member, without links'),
  pins: z.array(memberPinResponseSchema).describe('PINs of the member, without digits'),
  cards: z.array(memberCardResponseSchema).describe('Cards of the member'),
  tokens: z.array(memberTokenResponseSchema).describe('Tokens of the member, without secrets'),
  group_associations: z.array(memberGroupAssociationResponseSchema).describe('Group associations of the member'),
  events: z.array(eventResponseSchema).describe('What the member did, and what was done to the member'),
  deliveries: z.array(webhookDeliveryResponseSchema).describe('Deliveries of these events to webhooks'),
}).describe('All data about a member, also deleted objects, without secrets');
export type PersonalDataResponse = z.infer<typeof personalDataResponseSchema>;
