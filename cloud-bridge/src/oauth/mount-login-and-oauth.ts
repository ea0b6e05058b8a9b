import cookiePlugin from '@fastify/cookie';
import formPlugin from '@fastify/formbody';
import type { FastifyInstance } from 'fastify';
import { serveAccountPages } from '../account-pages/serve-account-pages.ts';
import { serveAlertAddressPages } from '../account-pages/serve-alert-address-pages.ts';
import { serveInvitationPages } from '../account-pages/serve-invitation-pages.ts';
import { servePasswordResetRoutes } from '../account-pages/password-reset-routes.ts';
import { SessionCookies } from '../accounts/session-cookies.ts';
import { serveLoginRoutes } from '../accounts/login-routes.ts';
import type { AccessTokenAuthenticator } from '../accounts/access-token-authenticator.ts';
import { servePageAssets } from '../pages/send-page-and-serve-page-assets.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { serveOAuthAuthorizationEndpoint } from './authorization-endpoint.ts';
import { serveOAuthMetadata } from './server-metadata.ts';
import { serveOAuthTokenEndpoints } from './token-and-revocation-endpoints.ts';

export interface LoginAndOAuthDependencies {
  readonly services: BridgeServices;
  /** Its cache is cleared when tokens are revoked. */
  readonly authenticator: AccessTokenAuthenticator;
}

const MAX_FORM_BYTES = 16 * 1024;

/** Only these routes accept forms; the APIs accept only JSON. */
const withForms = (serve: (scope: FastifyInstance) => void) => async (scope: FastifyInstance) => {
  scope.removeAllContentTypeParsers();
  await scope.register(formPlugin, { bodyLimit: MAX_FORM_BYTES });
  serve(scope);
};

/** Mounts the login and account pages and the OAuth authorization server. */
export const mountLoginAndOAuth = (
  app: FastifyInstance,
  { services, authenticator }: LoginAndOAuthDependencies,
): void => {
  const onTokensRevoked = (): void => authenticator.clearCache();
  serveOAuthMetadata(app, services);
  servePageAssets(app);
  app.register(withForms(scope => serveOAuthTokenEndpoints(scope, { services, authenticator })));
  app.register(
    withForms(scope => {
      scope.register(cookiePlugin);
      const cookies = new SessionCookies(services);
      serveLoginRoutes(scope, services, cookies);
      serveInvitationPages(scope, services, cookies);
      serveAlertAddressPages(scope, services, cookies);
      servePasswordResetRoutes(scope, services, cookies, onTokensRevoked);
      serveAccountPages(scope, services, cookies, onTokensRevoked);
      serveOAuthAuthorizationEndpoint(scope, services, cookies);
    }),
  );
};
