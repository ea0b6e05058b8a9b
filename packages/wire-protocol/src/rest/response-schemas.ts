import type * as z from 'zod';
import { cardResponseSchema } from './card.ts';
import { deviceResponseSchema } from './device.ts';
import { eventResponseSchema } from './event.ts';
import { gadgetTriggerResponseSchema } from './gadget-trigger.ts';
import { gadgetResponseSchema } from './gadget.ts';
import { memberCardResponseSchema } from './member-card.ts';
import { memberEmailResponseSchema } from './member-email.ts';
import { memberGroupAssociationResponseSchema } from './member-group-association.ts';
import { memberGroupResponseSchema } from './member-group.ts';
import { memberMagicLinkResponseSchema, memberMagicLinkRevealedResponseSchema } from './member-magic-link.ts';
import { memberPinResponseSchema, memberPinRevealedResponseSchema } from './member-pin.ts';
import { memberTokenResponseSchema, memberTokenRevealedResponseSchema } from './member-token.ts';
import { memberResponseSchema } from './member.ts';
import { oauthApplicationResponseSchema } from './oauth-application.ts';
import { organizationResponseSchema } from './organization.ts';
import { productResponseSchema } from './product.ts';
import type { ResourceType } from './resource-types-and-field-types.ts';
import { scheduleResponseSchema } from './schedule.ts';
import { siteResponseSchema } from './site.ts';
import { tagResponseSchema } from './tag.ts';
import { userResponseSchema } from './user.ts';
import { webhookDeliveryResponseSchema } from './webhook-delivery.ts';
import { webhookCreatedResponseSchema, webhookResponseSchema } from './webhook.ts';

export const restResponseSchemas = {
  organization: organizationResponseSchema,
  site: siteResponseSchema,
  product: productResponseSchema,
  device: deviceResponseSchema,
  gadget: gadgetResponseSchema,
  gadget_trigger: gadgetTriggerResponseSchema,
  member: memberResponseSchema,
  member_email: memberEmailResponseSchema,
  member_magic_link: memberMagicLinkResponseSchema,
  member_pin: memberPinResponseSchema,
  member_card: memberCardResponseSchema,
  member_token: memberTokenResponseSchema,
  member_group_association: memberGroupAssociationResponseSchema,
  member_group: memberGroupResponseSchema,
  schedule: scheduleResponseSchema,
  card: cardResponseSchema,
  event: eventResponseSchema,
  webhook: webhookResponseSchema,
  webhook_delivery: webhookDeliveryResponseSchema,
  tag: tagResponseSchema,
  user: userResponseSchema,
  oauth_application: oauthApplicationResponseSchema,
} as const satisfies Record<ResourceType, z.ZodObject>;

/** Responses with a secret, which only the creating or revealing request returns. */
export const revealedResponseSchemas = {
  member_magic_link_revealed: memberMagicLinkRevealedResponseSchema,
  member_pin_revealed: memberPinRevealedResponseSchema,
  member_token_revealed: memberTokenRevealedResponseSchema,
  webhook_created: webhookCreatedResponseSchema,
} as const satisfies Record<string, z.ZodObject>;
