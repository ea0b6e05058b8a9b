import type { DeviceActionExecutor } from '../actions/device-action-executor-interface.ts';
import type { ApiEndpoint } from '../api/define-endpoint.ts';
import type { AccessTokenCaller } from '../http/authenticated-caller.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { createMemberCredentialEndpoints } from './member-credentials-and-group-associations.ts';
import {
  createGadgetActionEndpoints,
  gadgetEndpoints,
  gadgetTriggerEndpoints,
} from './gadgets-actions-and-triggers.ts';
import { memberEndpoints, memberGroupEndpoints } from './members-and-member-groups.ts';
import {
  cardEndpoints,
  eventEndpoints,
  organizationEndpoints,
  scheduleEndpoints,
  tagEndpoints,
} from './organization-schedules-cards-tags-and-events.ts';
import { deviceEndpoints, productEndpoints, siteEndpoints } from './sites-and-devices.ts';
import { createWebhookEndpoints, webhookDeliveryEndpoints, webhookTestEndpoint } from './webhooks.ts';

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
  ...createMemberCredentialEndpoints(services),
  ...memberGroupEndpoints,
  ...scheduleEndpoints,
  ...cardEndpoints,
  ...tagEndpoints,
  ...eventEndpoints,
  ...createWebhookEndpoints(services),
  webhookTestEndpoint,
  ...webhookDeliveryEndpoints,
];
