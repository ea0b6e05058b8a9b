import cookies from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import { serveDocumentation } from '../documentation/serve-documentation.ts';
import { acceptByteStreams } from '../http/request-body.ts';
import { serveEndpoint } from '../api/serve-endpoint.ts';
import { accountPinReachEndpoint } from './endpoints/pin-reach.ts';
import type { ReleaseStore } from '../updates/release-store.ts';
import { releaseUploadEndpoints } from './endpoints/releases.ts';
import { adminOrganizationEndpoints } from './organization-endpoints.ts';
import { adminApiDescription } from './admin-api-description.ts';
import { accountEndpoints } from './endpoints/account.ts';
import { accountAuthentication, organizationAuthentication } from './admin-authentication.ts';
import type { AuthenticationServices } from '../accounts/authenticate-account.ts';

/** `/admin/v1`, for signed-in users and for access tokens. */
export const mountAdminApi = (
  app: FastifyInstance,
  authentication: AuthenticationServices,
  releases: ReleaseStore,
): void => {
  const { services, authenticator } = authentication;
  const accountRoutes = [...accountEndpoints(services), accountPinReachEndpoint(services)];
  const organizationRoutes = adminOrganizationEndpoints(services, releases, () => authenticator.clearCache());
  const uploadRoutes = releaseUploadEndpoints(releases);
  app.register(async scope => {
    await scope.register(cookies);
    const account = accountAuthentication(authentication);
    for (const endpoint of accountRoutes) serveEndpoint(scope, endpoint, account);
    const organization = organizationAuthentication(authentication);
    for (const endpoint of organizationRoutes) serveEndpoint(scope, endpoint, organization);
    await scope.register(async uploads => {
      acceptByteStreams(uploads);
      for (const endpoint of uploadRoutes) serveEndpoint(uploads, endpoint, { ...organization, idempotency: null });
    });
    serveDocumentation(
      scope,
      adminApiDescription,
      [...accountRoutes, ...organizationRoutes, ...uploadRoutes],
      services,
    );
  });
};
