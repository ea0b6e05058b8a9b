import * as z from 'zod';
import { eventResponse } from '../rest/event.ts';
import { memberResponse } from '../rest/member.ts';
import { memberCardResponse } from '../rest/member-card.ts';
import { memberEmailResponse } from '../rest/member-email.ts';
import { memberGroupAssociationResponse } from '../rest/member-group-association.ts';
import { memberMagicLinkResponse } from '../rest/member-magic-link.ts';
import { memberPinResponse } from '../rest/member-pin.ts';
import { memberTokenResponse } from '../rest/member-token.ts';
import { webhookDeliveryResponse } from '../rest/webhook-delivery.ts';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** All data about one member, deleted objects included, without PINs, links and other secrets. */
export const personalDataResponse = tolerantObjectSchema({
  exported_at: dateTimeSchema,
  member: memberResponse,
  emails: z.array(memberEmailResponse),
  magic_links: z.array(memberMagicLinkResponse),
  pins: z.array(memberPinResponse),
  cards: z.array(memberCardResponse),
  tokens: z.array(memberTokenResponse),
  group_associations: z.array(memberGroupAssociationResponse),
  /** What the member did, and what was done to the member, by users too. */
  events: z.array(eventResponse),
  /** Deliveries of these events to webhooks. */
  deliveries: z.array(webhookDeliveryResponse),
});
export type PersonalDataResponse = z.infer<typeof personalDataResponse>;
