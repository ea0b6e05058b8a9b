import cookies from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import { serveDocumentation } from '../documentation/serve.ts';
import { acceptBytes } from '../http/request-body.ts';
import { serveEndpoint } from '../api/serve-endpoint.ts';
import { shortReachEndpoint } from './endpoints/pin-reach.ts';
import type { ReleaseStore } from '../updates/release-store.ts';
import { releaseUploadEndpoints } from './endpoints/releases.ts';
import { adminEndpoints } from './all-endpoints.ts';
import { adminApi } from './documented-admin-api.ts';
import { accountEndpoints } from './endpoints/account.ts';
import { accountAuthentication, organizationAuthentication } from './authentication.ts';
import type { AuthenticationServices } from '../accounts/identify.ts';

/** `/admin/v1`, beside `/v2`: for people who are signed in and for tokens. */
export const mountAdmin = (
  app: FastifyInstance,
  authentication: AuthenticationServices,
  releases: ReleaseStore,
): void => {
  const { services, authenticator } = authentication;
  const ofAccount = [...accountEndpoints(services), shortReachEndpoint(services)];
  const ofOrganization = adminEndpoints(services, releases, () => authenticator.forget());
  const ofArchives = releaseUploadEndpoints(releases);
  app.register(async scope => {
    await scope.register(cookies);
    const account = accountAuthentication(authentication);
    for (const endpoint of ofAccount) serveEndpoint(scope, endpoint, account);
    const organization = organizationAuthentication(authentication);
    for (const endpoint of ofOrganization) serveEndpoint(scope, endpoint, organization);
    await scope.register(async archives => {
      acceptBytes(archives);
      for (const endpoint of ofArchives) serveEndpoint(archives, endpoint, { ...organization, idempotency: null });
    });
    serveDocumentation(scope, adminApi, [...ofAccount, ...ofOrganization, ...ofArchives], services);
  });
};
