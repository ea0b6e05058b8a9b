import type * as z from 'zod';
import { cardResponse } from './card.ts';
import { deviceResponse } from './device.ts';
import { eventResponse } from './event.ts';
import { gadgetTriggerResponse } from './gadget-trigger.ts';
import { gadgetResponse } from './gadget.ts';
import { memberCardResponse } from './member-card.ts';
import { memberEmailResponse } from './member-email.ts';
import { memberGroupAssociationResponse } from './member-group-association.ts';
import { memberGroupResponse } from './member-group.ts';
import { memberMagicLinkResponse, memberMagicLinkRevealedResponse } from './member-magic-link.ts';
import { memberPinResponse, memberPinRevealedResponse } from './member-pin.ts';
import { memberTokenResponse, memberTokenRevealedResponse } from './member-token.ts';
import { memberResponse } from './member.ts';
import { oauthApplicationResponse } from './oauth-application.ts';
import { organizationResponse } from './organization.ts';
import { productResponse } from './product.ts';
import type { ResourceType } from './resource-fields.ts';
import { scheduleResponse } from './schedule.ts';
import { siteResponse } from './site.ts';
import { tagResponse } from './tag.ts';
import { userResponse } from './user.ts';
import { webhookDeliveryResponse } from './webhook-delivery.ts';
import { webhookCreatedResponse, webhookResponse } from './webhook.ts';

export const restResponseSchemas = {
  organization: organizationResponse,
  site: siteResponse,
  product: productResponse,
  device: deviceResponse,
  gadget: gadgetResponse,
  gadget_trigger: gadgetTriggerResponse,
  member: memberResponse,
  member_email: memberEmailResponse,
  member_magic_link: memberMagicLinkResponse,
  member_pin: memberPinResponse,
  member_card: memberCardResponse,
  member_token: memberTokenResponse,
  member_group_association: memberGroupAssociationResponse,
  member_group: memberGroupResponse,
  schedule: scheduleResponse,
  card: cardResponse,
  event: eventResponse,
  webhook: webhookResponse,
  webhook_delivery: webhookDeliveryResponse,
  tag: tagResponse,
  user: userResponse,
  oauth_application: oauthApplicationResponse,
} as const satisfies Record<ResourceType, z.ZodObject>;

/** Responses with a secret, which only the creating or revealing request returns. */
export const revealedResponseSchemas = {
  member_magic_link_revealed: memberMagicLinkRevealedResponse,
  member_pin_revealed: memberPinRevealedResponse,
  member_token_revealed: memberTokenRevealedResponse,
  webhook_created: webhookCreatedResponse,
} as const satisfies Record<string, z.ZodObject>;
