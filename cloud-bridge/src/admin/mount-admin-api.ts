import cookies from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import { serveDocumentation } from '../documentation/serve-documentation.ts';
import { acceptByteStreams } from '../http/request-body-content-type-parsers.ts';
import { addEditTags } from '../api/etag-and-if-match.ts';
import { serveEndpoint } from '../api/serve-endpoint.ts';
import { createPinDeliveryAccountEndpoint } from './endpoints/credential-delivery-status.ts';
import { createReleaseUploadEndpoints } from './endpoints/releases.ts';
import {
  type AdminApiDependencies,
  createOrganizationScopedAdminEndpoints,
} from './all-organization-scoped-endpoints.ts';
import { adminApiDescription } from './admin-api-description.ts';
import { createAccountEndpoints } from './endpoints/current-session-and-own-organizations.ts';
import { enforceFreshLogin } from './fresh-login.ts';
import { createSessionProofEndpoints } from './endpoints/session-proof.ts';
import { createUserSessionEndpoints } from './endpoints/user-sessions.ts';
import { createAccountApiDefinition, createAdminApiDefinition } from './admin-api-authorization.ts';
import type { ApiAuthenticationDependencies } from '../accounts/authenticate-by-bearer-token-or-session-cookie.ts';

/** All endpoints of `/admin/v1`, grouped by how they authenticate callers and read bodies. */
export const createAdminEndpoints = ({ services, ...dependencies }: AdminApiDependencies) => ({
  account: [
    ...createAccountEndpoints(services),
    ...createUserSessionEndpoints(services),
    ...createSessionProofEndpoints(services),
    createPinDeliveryAccountEndpoint(services),
  ],
  organization: addEditTags(
    enforceFreshLogin(services, createOrganizationScopedAdminEndpoints({ services, ...dependencies })),
  ),
  upload: createReleaseUploadEndpoints(dependencies.releases),
});

/** `/admin/v1`, for signed-in users and for access tokens. */
export const mountAdminApi = (
  app: FastifyInstance,
  authentication: ApiAuthenticationDependencies,
  { releases, actions, technicians }: Pick<AdminApiDependencies, 'releases' | 'actions' | 'technicians'>,
): void => {
  const { services, authenticator } = authentication;
  const endpoints = createAdminEndpoints({
    services,
    releases,
    actions,
    technicians,
    onTokensRevoked: () => authenticator.clearCache(),
  });
  app.register(async scope => {
    await scope.register(cookies);
    const account = createAccountApiDefinition(authentication);
    for (const endpoint of endpoints.account) serveEndpoint(scope, endpoint, account);
    const organization = createAdminApiDefinition(authentication);
    for (const endpoint of endpoints.organization) serveEndpoint(scope, endpoint, organization);
    await scope.register(async uploads => {
      acceptByteStreams(uploads);
      for (const endpoint of endpoints.upload) serveEndpoint(uploads, endpoint, { ...organization, idempotency: null });
    });
    serveDocumentation(scope, adminApiDescription, Object.values(endpoints).flat(), services);
  });
};
