import type { Endpoint } from '../http/endpoint.ts';
import type { Services } from '../services.ts';
import { cardEndpoints } from './cards.ts';
import { deviceEndpoints } from './devices.ts';
import { eventEndpoints } from './events.ts';
import { gadgetTriggerEndpoints } from './gadget-triggers.ts';
import { gadgetEndpoints } from './gadgets.ts';
import { groupAssociationEndpoints } from './group-associations.ts';
import { memberCardEndpoints } from './member-cards.ts';
import { memberEmailEndpoints } from './member-emails.ts';
import { memberGroupEndpoints } from './member-groups.ts';
import { memberMagicLinkEndpoints } from './member-magic-links.ts';
import { memberPinEndpoints } from './member-pins.ts';
import { memberTokenEndpoints } from './member-tokens.ts';
import { memberEndpoints } from './members.ts';
import { organizationEndpoints } from './organization.ts';
import { productEndpoints } from './products.ts';
import { scheduleEndpoints } from './schedules.ts';
import { siteEndpoints } from './sites.ts';
import { tagEndpoints } from './tags.ts';
import { webhookDeliveryEndpoints } from './webhook-deliveries.ts';
import { webhookEndpoints } from './webhooks.ts';

/** The whole of `/v2`, resource by resource. */
export const allEndpoints = (services: Services): Endpoint[] => [
  ...organizationEndpoints(services),
  ...siteEndpoints(services),
  ...productEndpoints(services),
  ...deviceEndpoints(services),
  ...gadgetEndpoints(services),
  ...gadgetTriggerEndpoints(services),
  ...memberEndpoints(services),
  ...memberEmailEndpoints(services),
  ...memberMagicLinkEndpoints(services),
  ...memberPinEndpoints(services),
  ...memberCardEndpoints(services),
  ...memberTokenEndpoints(services),
  ...groupAssociationEndpoints(services),
  ...memberGroupEndpoints(services),
  ...scheduleEndpoints(services),
  ...cardEndpoints(services),
  ...tagEndpoints(services),
  ...eventEndpoints(services),
  ...webhookEndpoints(services),
  ...webhookDeliveryEndpoints(services),
];
