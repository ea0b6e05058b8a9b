import type { DeviceActionExecutor } from '../actions/device-action-executor.ts';
import { credentialMailEndpoint } from './endpoints/credential-mail.ts';
import { credentialDeliveryEndpoints } from './endpoints/credential-delivery.ts';
import { technicianDeviceEndpoints } from './endpoints/technician-devices.ts';
import { technicianPassEndpoints } from './endpoints/technician-passes.ts';
import type { TechnicianRequestForwarder } from '../devices/remote-technician/technician-request-forwarder.ts';
import type { BridgeServices } from '../services.ts';
import { releaseEndpoints } from './endpoints/releases.ts';
import { rolloutEndpoints } from './endpoints/rollouts.ts';
import type { ReleaseStore } from '../updates/release-store.ts';
import type { AdminEndpoint } from './admin-endpoint.ts';
import { accessEndpoints } from './endpoints/access.ts';
import { activityEndpoints } from './endpoints/activity.ts';
import { attentionEndpoints } from './endpoints/attention.ts';
import { alertEndpoints } from './endpoints/alerts.ts';
import { applicationEndpoints } from './endpoints/applications.ts';
import { applicationWebhookEndpoints } from './endpoints/application-webhooks.ts';
import { authorizationEndpoints } from './endpoints/authorizations.ts';
import {
  cardEnrollmentCancelEndpoint,
  cardEnrollmentEndpoint,
  cardInventoryEndpoint,
  cardStockEndpoint,
} from './endpoints/cards.ts';
import { claimTicketEndpoints } from './endpoints/claim-tickets.ts';
import { deviceConnectionEndpoint } from './endpoints/device-connection.ts';
import { deviceHealthEndpoint } from './endpoints/device-health.ts';
import { incidentEndpoints } from './endpoints/incidents.ts';
import { inputRuleEndpoints } from './endpoints/input-rules.ts';
import { memberResourceEndpoints } from './endpoints/member-resources.ts';
import { adminSingleOrganizationEndpoints } from './endpoints/organization.ts';
import {
  adminDeviceEndpoints,
  adminGadgetEndpoints,
  gadgetSignalEndpoint,
  adminProductEndpoints,
  adminSiteEndpoints,
  virtualKeypadEndpoint,
} from './endpoints/sites-and-devices.ts';
import { personalDataEndpoints } from './endpoints/personal-data.ts';
import { retentionEndpoints } from './endpoints/retention.ts';
import { scheduleExceptionEndpoints } from './endpoints/schedule-exceptions.ts';
import { scriptTokenEndpoints } from './endpoints/script-tokens.ts';
import { userEndpoints } from './endpoints/users.ts';

export interface AdminDependencies {
  readonly services: BridgeServices;
  readonly releases: ReleaseStore;
  readonly actions: DeviceActionExecutor;
  readonly technicians: TechnicianRequestForwarder;
  /** Called after the commit, so that this bridge rejects the tokens at once. */
  readonly onTokensRevoked: () => void;
}

/** All endpoints of `/admin/v1` below one organization. */
export const adminOrganizationEndpoints = ({
  services,
  releases,
  actions,
  technicians,
  onTokensRevoked,
}: AdminDependencies): AdminEndpoint[] => [
  ...adminSingleOrganizationEndpoints(services),
  ...retentionEndpoints(services),
  ...incidentEndpoints(services),
  ...userEndpoints(services),
  ...adminSiteEndpoints,
  ...adminProductEndpoints,
  ...adminDeviceEndpoints,
  deviceConnectionEndpoint(services),
  deviceHealthEndpoint(services),
  ...adminGadgetEndpoints,
  gadgetSignalEndpoint,
  virtualKeypadEndpoint(services),
  ...inputRuleEndpoints,
  ...memberResourceEndpoints(services, actions),
  ...scheduleExceptionEndpoints(services),
  ...personalDataEndpoints(services),
  ...accessEndpoints(services),
  cardEnrollmentEndpoint(technicians),
  cardEnrollmentCancelEndpoint(technicians),
  cardStockEndpoint,
  cardInventoryEndpoint(services),
  ...activityEndpoints(services),
  ...attentionEndpoints(services),
  ...claimTicketEndpoints(services),
  ...credentialDeliveryEndpoints(services),
  credentialMailEndpoint(services),
  ...technicianPassEndpoints,
  ...technicianDeviceEndpoints(services),
  ...releaseEndpoints(services, releases),
  ...rolloutEndpoints(services),
  ...applicationEndpoints(services, onTokensRevoked),
  ...applicationWebhookEndpoints(services),
  ...authorizationEndpoints(services, onTokensRevoked),
  ...scriptTokenEndpoints(services, onTokensRevoked),
  ...alertEndpoints(services),
];
