import cookies from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import { serveDocumentation } from '../documentation/serve-documentation.ts';
import { acceptByteStreams } from '../http/request-body.ts';
import { serveEndpoint } from '../api/serve-endpoint.ts';
import { accountPinReachEndpoint } from './endpoints/credential-delivery.ts';
import { releaseUploadEndpoints } from './endpoints/releases.ts';
import { type AdminDependencies, adminOrganizationEndpoints } from './organization-endpoints.ts';
import { adminApiDescription } from './admin-api-description.ts';
import { accountEndpoints } from './endpoints/account.ts';
import { sessionEndpoints } from './endpoints/sessions.ts';
import { accountAuthentication, organizationAuthentication } from './admin-authentication.ts';
import type { AuthenticationServices } from '../accounts/authenticate-account.ts';

/** All endpoints of `/admin/v1`, grouped by how they authenticate callers and read bodies. */
export const adminEndpoints = ({ services, ...dependencies }: AdminDependencies) => ({
  account: [...accountEndpoints(services), ...sessionEndpoints(services), accountPinReachEndpoint(services)],
  organization: adminOrganizationEndpoints({ services, ...dependencies }),
  upload: releaseUploadEndpoints(dependencies.releases),
});

/** `/admin/v1`, for signed-in users and for access tokens. */
export const mountAdminApi = (
  app: FastifyInstance,
  authentication: AuthenticationServices,
  { releases, actions, technicians }: Pick<AdminDependencies, 'releases' | 'actions' | 'technicians'>,
): void => {
  const { services, authenticator } = authentication;
  const endpoints = adminEndpoints({
    services,
    releases,
    actions,
    technicians,
    onTokensRevoked: () => authenticator.clearCache(),
  });
  app.register(async scope => {
    await scope.register(cookies);
    const account = accountAuthentication(authentication);
    for (const endpoint of endpoints.account) serveEndpoint(scope, endpoint, account);
    const organization = organizationAuthentication(authentication);
    for (const endpoint of endpoints.organization) serveEndpoint(scope, endpoint, organization);
    await scope.register(async uploads => {
      acceptByteStreams(uploads);
      for (const endpoint of endpoints.upload) serveEndpoint(uploads, endpoint, { ...organization, idempotency: null });
    });
    serveDocumentation(scope, adminApiDescription, Object.values(endpoints).flat(), services);
  });
};
