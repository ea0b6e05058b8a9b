import { reachEndpoints } from './endpoints/pin-reach.ts';
import { technicianDeviceEndpoints } from './endpoints/technician-devices.ts';
import { technicianPassEndpoints } from './endpoints/technician-passes.ts';
import type { Services } from '../services.ts';
import { releaseEndpoints } from './endpoints/releases.ts';
import { rolloutEndpoints } from './endpoints/rollouts.ts';
import type { ReleaseStore } from '../updates/release-store.ts';
import type { AdminEndpoint } from './admin-endpoint.ts';
import { applicationEndpoints } from './endpoints/applications.ts';
import { authorizationEndpoints } from './endpoints/authorizations.ts';
import { claimTicketEndpoints } from './endpoints/claim-tickets.ts';
import { inputRuleEndpoints } from './endpoints/input-rules.ts';
import { organizationEndpoints } from './endpoints/organization.ts';
import { deviceEndpoints, gadgetEndpoints, productEndpoints, siteEndpoints } from './endpoints/places.ts';
import { userEndpoints } from './endpoints/users.ts';

/** What `/admin/v1` has of an organization, resource by resource. */
export const adminEndpoints = (
  services: Services,
  releases: ReleaseStore,
  onTokensEnded: () => void,
): AdminEndpoint[] => [
  ...organizationEndpoints(services),
  ...userEndpoints(services),
  ...siteEndpoints,
  ...productEndpoints,
  ...deviceEndpoints,
  ...gadgetEndpoints,
  ...inputRuleEndpoints,
  ...claimTicketEndpoints(services),
  ...reachEndpoints(services),
  ...technicianPassEndpoints,
  ...technicianDeviceEndpoints(services),
  ...releaseEndpoints(services, releases),
  ...rolloutEndpoints(services),
  ...applicationEndpoints(services, onTokensEnded),
  ...authorizationEndpoints(services, onTokensEnded),
];
