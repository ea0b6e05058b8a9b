import type { DeviceActionExecutor } from '../actions/device-action-executor.ts';
import type { ApiEndpoint } from '../api/endpoint.ts';
import type { TokenCaller } from '../http/caller.ts';
import type { BridgeServices } from '../services.ts';
import {
  groupAssociationEndpoints,
  memberCardEndpoints,
  memberEmailEndpoints,
  memberMagicLinkEndpoints,
  memberPinEndpoints,
  memberTokenEndpoints,
} from './credentials.ts';
import { gadgetActionEndpoints, gadgetEndpoints, gadgetTriggerEndpoints } from './gadgets.ts';
import { memberEndpoints, memberGroupEndpoints } from './members.ts';
import {
  cardEndpoints,
  eventEndpoints,
  organizationEndpoints,
  scheduleEndpoints,
  tagEndpoints,
} from './organization-resources.ts';
import { deviceEndpoints, productEndpoints, siteEndpoints } from './sites-and-devices.ts';
import { webhookDeliveryEndpoints, webhookEndpoints } from './webhooks.ts';

/** All endpoints of `/v2`. */
export const publicEndpoints = (
  services: BridgeServices,
  actions: DeviceActionExecutor,
): ApiEndpoint<TokenCaller>[] => [
  ...organizationEndpoints,
  ...siteEndpoints,
  ...productEndpoints,
  ...deviceEndpoints,
  ...gadgetEndpoints,
  ...gadgetActionEndpoints({ writer: services.writer, storage: services.storage, actions }),
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
  ...webhookEndpoints(services),
  ...webhookDeliveryEndpoints,
];
