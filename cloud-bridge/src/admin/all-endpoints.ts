import { reachEndpoints } from '../devices/reach-endpoint.ts';
import { technicianDeviceEndpoints } from '../devices/remote-technician/device-list-endpoint.ts';
import { technicianPassEndpoints } from '../devices/technician-pass-endpoint.ts';
import type { Services } from '../services.ts';
import { releaseEndpoints } from '../updates/release-endpoints.ts';
import { rolloutEndpoints } from '../updates/rollout-endpoints.ts';
import type { AdminEndpoint } from './admin-endpoint.ts';
import { applicationEndpoints } from './endpoints/applications.ts';
import { authorizationEndpoints } from './endpoints/authorizations.ts';
import { claimTicketEndpoints } from './endpoints/claim-tickets.ts';
import { inputRuleEndpoints } from './endpoints/input-rules.ts';
import { organizationEndpoints } from './endpoints/organization.ts';
import { deviceEndpoints, gadgetEndpoints, productEndpoints, siteEndpoints } from './endpoints/places.ts';
import { userEndpoints } from './endpoints/users.ts';

/** What `/admin/v1` has of an organization, resource by resource. */
export const adminEndpoints = (services: Services, onTokensEnded: () => void): AdminEndpoint[] => [
  ...organizationEndpoints(services),
  ...userEndpoints(services),
  ...siteEndpoints(services),
  ...productEndpoints(services),
  ...deviceEndpoints(services),
  ...gadgetEndpoints(services),
  ...inputRuleEndpoints(services),
  ...claimTicketEndpoints(services),
  ...reachEndpoints(services),
  ...technicianPassEndpoints(services),
  ...technicianDeviceEndpoints(services),
  ...releaseEndpoints(services),
  ...rolloutEndpoints(services),
  ...applicationEndpoints(services, onTokensEnded),
  ...authorizationEndpoints(services, onTokensEnded),
];
