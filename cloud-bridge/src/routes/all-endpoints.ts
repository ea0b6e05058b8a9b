import type { ActionPort } from '../actions/action-port.ts';
import type { Endpoint } from '../api/endpoint.ts';
import type { Services } from '../services.ts';
import {
  groupAssociationEndpoints,
  memberCardEndpoints,
  memberEmailEndpoints,
  memberMagicLinkEndpoints,
  memberPinEndpoints,
  memberTokenEndpoints,
} from './credentials.ts';
import { gadgetEndpoints, gadgetTriggerEndpoints } from './gadgets.ts';
import { memberEndpoints, memberGroupEndpoints } from './members.ts';
import {
  cardEndpoints,
  eventEndpoints,
  organizationEndpoints,
  scheduleEndpoints,
  tagEndpoints,
} from './organization.ts';
import { deviceEndpoints, productEndpoints, siteEndpoints } from './places.ts';
import { webhookDeliveryEndpoints, webhookEndpoints } from './webhooks.ts';

/** The whole of `/v2`, resource by resource. */
export const allEndpoints = (services: Services, actions: ActionPort): Endpoint[] => [
  ...organizationEndpoints,
  ...siteEndpoints,
  ...productEndpoints,
  ...deviceEndpoints,
  ...gadgetEndpoints({ writer: services.writer, storage: services.storage, actions }),
  ...gadgetTriggerEndpoints,
  ...memberEndpoints,
  ...memberEmailEndpoints,
  ...memberMagicLinkEndpoints(services),
  ...memberPinEndpoints,
  ...memberCardEndpoints,
  ...memberTokenEndpoints,
  ...groupAssociationEndpoints,
  ...memberGroupEndpoints,
  ...scheduleEndpoints,
  ...cardEndpoints,
  ...tagEndpoints,
  ...eventEndpoints,
  ...webhookEndpoints,
  ...webhookDeliveryEndpoints,
];
