import type { DeviceActionExecutor } from '../actions/device-action-executor.ts';
import { createCredentialMailEndpoint } from './endpoints/credential-mail.ts';
import { createCredentialDeliveryEndpoints } from './endpoints/credential-delivery.ts';
import { createTechnicianDeviceEndpoints } from './endpoints/technician-devices.ts';
import { technicianPassEndpoints } from './endpoints/technician-passes.ts';
import type { TechnicianRequestForwarder } from '../devices/remote-technician/technician-request-forwarder.ts';
import type { BridgeServices } from '../services.ts';
import { createReleaseEndpoints } from './endpoints/releases.ts';
import { createRolloutEndpoints } from './endpoints/rollouts.ts';
import type { ReleaseStore } from '../updates/release-store.ts';
import type { AdminEndpoint } from './admin-endpoint.ts';
import { createEffectiveAccessEndpoints } from './endpoints/effective-access.ts';
import { createStatisticsEndpoints } from './endpoints/statistics.ts';
import { createAttentionEndpoints } from './endpoints/attention.ts';
import { createAlertEndpoints } from './endpoints/alerts.ts';
import { createOAuthApplicationEndpoints } from './endpoints/oauth-applications.ts';
import { createApplicationWebhookEndpoints } from './endpoints/application-webhooks.ts';
import { createOAuthAuthorizationEndpoints } from './endpoints/oauth-authorizations.ts';
import {
  createCancelCardEnrollmentEndpoint,
  createCardEnrollmentEndpoint,
  createOrganizationCardsEndpoint,
  cardStockImportEndpoint,
} from './endpoints/cards.ts';
import { createClaimTicketEndpoints } from './endpoints/claim-tickets.ts';
import { createDeviceConnectionEndpoint } from './endpoints/device-connection.ts';
import { deviceHealthEndpoint } from './endpoints/device-health.ts';
import { createIncidentEndpoints } from './endpoints/incidents.ts';
import { inputRuleEndpoints } from './endpoints/input-rules.ts';
import { createMemberResourceEndpoints } from './endpoints/member-resources.ts';
import { createOrganizationSettingsEndpoints } from './endpoints/organization-settings.ts';
import {
  adminDeviceEndpoints,
  adminGadgetEndpoints,
  gadgetSignalEndpoint,
  adminProductEndpoints,
  adminSiteEndpoints,
  createVirtualKeypadEndpoint,
} from './endpoints/sites-and-devices.ts';
import { createPersonalDataEndpoints } from './endpoints/personal-data.ts';
import { createRetentionEndpoints } from './endpoints/retention.ts';
import { scheduleExceptionEndpoints } from './endpoints/schedule-exceptions.ts';
import { createScriptTokenEndpoints } from './endpoints/script-tokens.ts';
import { createOrganizationUserEndpoints } from './endpoints/organization-users.ts';

export interface AdminApiDependencies {
  readonly services: BridgeServices;
  readonly releases: ReleaseStore;
  readonly actions: DeviceActionExecutor;
  readonly technicians: TechnicianRequestForwarder;
  /** Called after the commit, so that this bridge rejects the tokens at once. */
  readonly onTokensRevoked: () => void;
}

/** All endpoints of `/admin/v1` below one organization. */
export const createAdminOrganizationEndpoints = ({
  services,
  releases,
  actions,
  technicians,
  onTokensRevoked,
}: AdminApiDependencies): AdminEndpoint[] => [
  ...createOrganizationSettingsEndpoints(services),
  ...createRetentionEndpoints(services),
  ...createIncidentEndpoints(services),
  ...createOrganizationUserEndpoints(services),
  ...adminSiteEndpoints,
  ...adminProductEndpoints,
  ...adminDeviceEndpoints,
  createDeviceConnectionEndpoint(services),
  deviceHealthEndpoint(services),
  ...adminGadgetEndpoints,
  gadgetSignalEndpoint,
  createVirtualKeypadEndpoint(services),
  ...inputRuleEndpoints,
  ...createMemberResourceEndpoints(services, actions),
  ...scheduleExceptionEndpoints(services),
  ...createPersonalDataEndpoints(services),
  ...createEffectiveAccessEndpoints(services),
  createCardEnrollmentEndpoint(technicians),
  createCancelCardEnrollmentEndpoint(technicians),
  cardStockImportEndpoint,
  createOrganizationCardsEndpoint(services),
  ...createStatisticsEndpoints(services),
  ...createAttentionEndpoints(services),
  ...createClaimTicketEndpoints(services),
  ...createCredentialDeliveryEndpoints(services),
  createCredentialMailEndpoint(services),
  ...technicianPassEndpoints,
  ...createTechnicianDeviceEndpoints(services),
  ...createReleaseEndpoints(services, releases),
  ...createRolloutEndpoints(services),
  ...createOAuthApplicationEndpoints(services, onTokensRevoked),
  ...createApplicationWebhookEndpoints(services),
  ...createOAuthAuthorizationEndpoints(services, onTokensRevoked),
  ...createScriptTokenEndpoints(services, onTokensRevoked),
  ...createAlertEndpoints(services),
];
