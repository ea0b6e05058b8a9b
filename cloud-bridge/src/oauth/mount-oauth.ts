import cookies from '@fastify/cookie';
import forms from '@fastify/formbody';
import type { FastifyInstance } from 'fastify';
import { Browser } from '../accounts/browser.ts';
import { serveLogin } from '../accounts/login-routes.ts';
import type { Authenticator } from '../http/authenticate.ts';
import { servePageFiles } from '../pages/send-page.ts';
import type { Services } from '../services.ts';
import { serveAuthorization } from './authorization-endpoint.ts';
import { serveMetadata } from './metadata.ts';
import { serveTokens } from './token-endpoint.ts';

export interface OAuthDependencies {
  readonly services: Services;
  /** Told when tokens end before their time. */
  readonly authenticator: Authenticator;
}

const LARGEST_FORM = 16 * 1024;

/** Forms are taken here and nowhere else: the API itself speaks JSON only. */
const withForms = (serve: (scope: FastifyInstance) => void) => async (scope: FastifyInstance) => {
  scope.removeAllContentTypeParsers();
  await scope.register(forms, { bodyLimit: LARGEST_FORM });
  serve(scope);
};

/** Login pages, the authorization server and its metadata, at the root beside `/v2`. */
export const mountOAuth = (app: FastifyInstance, { services, authenticator }: OAuthDependencies): void => {
  serveMetadata(app, services);
  servePageFiles(app);
  app.register(withForms(scope => serveTokens(scope, { services, authenticator })));
  app.register(
    withForms(scope => {
      scope.register(cookies);
      const browser = new Browser(services);
      serveLogin(scope, services, browser);
      serveAuthorization(scope, services, browser);
    }),
  );
};
