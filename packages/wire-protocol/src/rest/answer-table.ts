import type * as z from 'zod';
import { cardAnswer } from './card.ts';
import { deviceAnswer } from './device.ts';
import { eventAnswer } from './event.ts';
import { gadgetTriggerAnswer } from './gadget-trigger.ts';
import { gadgetAnswer } from './gadget.ts';
import { memberCardAnswer } from './member-card.ts';
import { memberEmailAnswer } from './member-email.ts';
import { memberGroupAssociationAnswer } from './member-group-association.ts';
import { memberGroupAnswer } from './member-group.ts';
import { memberMagicLinkAnswer } from './member-magic-link.ts';
import { memberPinAnswer } from './member-pin.ts';
import { memberTokenAnswer } from './member-token.ts';
import { memberAnswer } from './member.ts';
import { oauthApplicationAnswer } from './oauth-application.ts';
import { organizationAnswer } from './organization.ts';
import { productAnswer } from './product.ts';
import type { ResourceType } from './resource-fields.ts';
import { scheduleAnswer } from './schedule.ts';
import { siteAnswer } from './site.ts';
import { tagAnswer } from './tag.ts';
import { userAnswer } from './user.ts';
import { webhookDeliveryAnswer } from './webhook-delivery.ts';
import { webhookAnswer } from './webhook.ts';

export const answers = {
  organization: organizationAnswer,
  site: siteAnswer,
  product: productAnswer,
  device: deviceAnswer,
  gadget: gadgetAnswer,
  gadget_trigger: gadgetTriggerAnswer,
  member: memberAnswer,
  member_email: memberEmailAnswer,
  member_magic_link: memberMagicLinkAnswer,
  member_pin: memberPinAnswer,
  member_card: memberCardAnswer,
  member_token: memberTokenAnswer,
  member_group_association: memberGroupAssociationAnswer,
  member_group: memberGroupAnswer,
  schedule: scheduleAnswer,
  card: cardAnswer,
  event: eventAnswer,
  webhook: webhookAnswer,
  webhook_delivery: webhookDeliveryAnswer,
  tag: tagAnswer,
  user: userAnswer,
  oauth_application: oauthApplicationAnswer,
} as const satisfies Record<ResourceType, z.ZodObject>;
