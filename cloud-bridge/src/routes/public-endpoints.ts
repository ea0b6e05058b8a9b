import type { DeviceActionExecutor } from '../actions/device-action-executor.ts';
import type { ApiEndpoint } from '../api/endpoint.ts';
import type { AccessTokenCaller } from '../http/caller.ts';
import type { BridgeServices } from '../bridge-services.ts';
import {
  groupAssociationEndpoints,
  memberCardEndpoints,
  memberEmailEndpoints,
  createMemberMagicLinkEndpoints,
  memberPinEndpoints,
  memberTokenEndpoints,
} from './member-resources.ts';
import { createGadgetActionEndpoints, gadgetEndpoints, gadgetTriggerEndpoints } from './gadgets.ts';
import { memberEndpoints, memberGroupEndpoints } from './members.ts';
import {
  cardEndpoints,
  eventEndpoints,
  organizationEndpoints,
  scheduleEndpoints,
  tagEndpoints,
} from './organization-resources.ts';
import { deviceEndpoints, productEndpoints, siteEndpoints } from './sites-and-devices.ts';
import { webhookDeliveryEndpoints, createWebhookEndpoints } from './webhooks.ts';

/** All endpoints of `/v2`. */
export const createPublicEndpoints = (
  services: BridgeServices,
  actions: DeviceActionExecutor,
): ApiEndpoint<AccessTokenCaller>[] => [
  ...organizationEndpoints,
  ...siteEndpoints,
  ...productEndpoints,
  ...deviceEndpoints,
  ...gadgetEndpoints,
  ...createGadgetActionEndpoints({ writer: services.writer, storage: services.storage, actions }),
  ...gadgetTriggerEndpoints,
  ...memberEndpoints,
  ...memberEmailEndpoints,
  ...createMemberMagicLinkEndpoints(services),
  ...memberPinEndpoints,
  ...memberCardEndpoints,
  ...memberTokenEndpoints,
  ...groupAssociationEndpoints,
  ...memberGroupEndpoints,
  ...scheduleEndpoints,
  ...cardEndpoints,
  ...tagEndpoints,
  ...eventEndpoints,
  ...createWebhookEndpoints(services),
  ...webhookDeliveryEndpoints,
];
