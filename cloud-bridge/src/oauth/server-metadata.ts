import type { FastifyInstance } from 'fastify';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { supportedOAuthScopes } from './scopes.ts';

const clientMethods = ['client_secret_post', 'client_secret_basic', 'none'];

/** Authorization server metadata (RFC 8414). */
export const serveOAuthMetadata = (app: FastifyInstance, services: BridgeServices): void => {
  app.get('/.well-known/oauth-authorization-server', async (_, reply) => {
    const { publicUrl } = services;
    reply.header('cache-control', 'public, max-age=300');
    return {
      issuer: publicUrl,
      authorization_endpoint: `${publicUrl}/oauth2/auth`,
      token_endpoint: `${publicUrl}/oauth2/token`,
      revocation_endpoint: `${publicUrl}/oauth2/revoke`,
      scopes_supported: supportedOAuthScopes,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: clientMethods,
      revocation_endpoint_auth_methods_supported: clientMethods,
      code_challenge_methods_supported: ['S256'],
    };
  });
};
