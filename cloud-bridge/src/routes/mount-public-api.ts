import type { FastifyInstance } from 'fastify';
import type { ApiAuthenticationDependencies } from '../accounts/authenticate-by-bearer-token-or-session-cookie.ts';
import type { DeviceActionExecutor } from '../actions/device-action-executor-interface.ts';
import { serveEndpoint } from '../api/serve-endpoint.ts';
import { createPublicApiDefinition } from '../api/public-api-authentication.ts';
import { publicApiDescription } from '../documentation/public-api-description.ts';
import { serveDocumentation } from '../documentation/serve-documentation.ts';
import { createPublicEndpoints } from './public-endpoints.ts';

/** `/v2`, for applications with an access token. */
export const mountPublicApi = (
  app: FastifyInstance,
  authentication: ApiAuthenticationDependencies,
  actions: DeviceActionExecutor,
): void => {
  const { services } = authentication;
  const endpoints = createPublicEndpoints(services, actions);
  const api = createPublicApiDefinition(authentication);
  for (const endpoint of endpoints) serveEndpoint(app, endpoint, api);
  serveDocumentation(app, publicApiDescription, endpoints, services);
};
