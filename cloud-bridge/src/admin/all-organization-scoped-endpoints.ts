import type { DeviceActionExecutor } from '../actions/device-action-executor-interface.ts';
import { createCredentialMailEndpoint } from './endpoints/credential-mail.ts';
import { createCredentialDeliveryEndpoints } from './endpoints/credential-delivery-status.ts';
import { createTechnicianDeviceEndpoints } from './endpoints/technician-devices.ts';
import { technicianPassEndpoints } from './endpoints/technician-passes.ts';
import type { TechnicianRequestForwarder } from '../devices/remote-technician/technician-request-forwarder.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { createReleaseEndpoints } from './endpoints/releases.ts';
import { createRolloutEndpoints } from './endpoints/rollouts.ts';
import type { ReleaseStore } from '../updates/release-store.ts';
import type { AdminEndpoint } from './admin-endpoint.ts';
import { createDeskLimitsEndpoints } from './endpoints/desk-limits.ts';
import { createEffectiveAccessEndpoints } from './endpoints/effective-access.ts';
import { createStatisticsEndpoints } from './endpoints/statistics.ts';
import { createAttentionEndpoints } from './endpoints/attention-items.ts';
import { createAlertEndpoints } from './endpoints/alert-rules-messages-and-active-alerts.ts';
import { createOAuthApplicationEndpoints } from './endpoints/oauth-applications.ts';
import { createApplicationWebhookEndpoints } from './endpoints/application-webhooks.ts';
import { createOAuthAuthorizationEndpoints } from './endpoints/oauth-authorizations.ts';
import {
  createCancelNextCardReadEndpoint,
  createReadNextCardEndpoint,
  createCardInventoryEndpoint,
  cardStockImportEndpoint,
} from './endpoints/card-reading-and-card-stock.ts';
import { createClaimTicketEndpoints } from './endpoints/claim-tickets.ts';
import { controllerConfirmationEndpoints } from './endpoints/controller-confirmation.ts';
import { createStolenControllerEndpoint } from './endpoints/stolen-controller.ts';
import { createDeviceConnectionStatusEndpoint } from './endpoints/device-connection-status.ts';
import { createDeviceHealthEndpoint } from './endpoints/device-health-history.ts';
import { createEventReportEndpoint } from './endpoints/event-report.ts';
import { createIncidentEndpoints } from './endpoints/incidents.ts';
import { inputRuleEndpoints } from './endpoints/input-rules.ts';
import { createMemberResourceEndpoints } from './endpoints/member-and-access-resources.ts';
import { createOrganizationAndInstallationEndpoints } from './endpoints/organization-and-installation.ts';
import {
  adminDeviceEndpoints,
  adminGadgetEndpoints,
  gadgetSignalEndpoint,
  adminProductEndpoints,
  adminSiteEndpoints,
  createVirtualKeypadEndpoint,
} from './endpoints/sites-devices-and-gadgets.ts';
import { createPersonalDataEndpoints } from './endpoints/personal-data.ts';
import { createRetentionEndpoints } from './endpoints/retention.ts';
import { createScheduleExceptionEndpoints } from './endpoints/schedule-exceptions.ts';
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
export const createOrganizationScopedAdminEndpoints = ({
  services,
  releases,
  actions,
  technicians,
  onTokensRevoked,
}: AdminApiDependencies): AdminEndpoint[] => [
  ...createOrganizationAndInstallationEndpoints(services),
  ...createRetentionEndpoints(services),
  ...createIncidentEndpoints(services),
  createEventReportEndpoint(services),
  ...createOrganizationUserEndpoints(services, onTokensRevoked),
  ...adminSiteEndpoints,
  ...adminProductEndpoints,
  ...adminDeviceEndpoints,
  ...controllerConfirmationEndpoints,
  createStolenControllerEndpoint(services),
  createDeviceConnectionStatusEndpoint(services),
  createDeviceHealthEndpoint(services),
  ...adminGadgetEndpoints,
  gadgetSignalEndpoint,
  createVirtualKeypadEndpoint(services),
  ...inputRuleEndpoints,
  ...createMemberResourceEndpoints(services, actions),
  ...createScheduleExceptionEndpoints(services),
  ...createPersonalDataEndpoints(services),
  ...createEffectiveAccessEndpoints(services),
  ...createDeskLimitsEndpoints(services),
  createReadNextCardEndpoint(technicians),
  createCancelNextCardReadEndpoint(technicians),
  cardStockImportEndpoint,
  createCardInventoryEndpoint(services),
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
