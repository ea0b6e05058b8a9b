import type { FastifyInstance } from 'fastify';
import type { AuthenticationServices } from '../accounts/identify.ts';
import type { ActionPort } from '../actions/action-port.ts';
import { serveEndpoint } from '../api/serve-endpoint.ts';
import { tokenAuthentication } from '../api/token-authentication.ts';
import { publicApi } from '../documentation/documented-api.ts';
import { serveDocumentation } from '../documentation/serve.ts';
import { allEndpoints } from './all-endpoints.ts';

/** `/v2`, for applications with an access token. */
export const mountApi = (app: FastifyInstance, authentication: AuthenticationServices, actions: ActionPort): void => {
  const { services } = authentication;
  const endpoints = allEndpoints(services, actions);
  const api = tokenAuthentication(authentication);
  for (const endpoint of endpoints) serveEndpoint(app, endpoint, api);
  serveDocumentation(app, publicApi, endpoints, services);
};
