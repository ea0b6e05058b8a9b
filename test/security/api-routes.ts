import type { FastifyInstance } from 'fastify';
import { createAdminEndpoints } from '../../cloud-bridge/src/admin/mount-admin-api.ts';
import type { AdminPermission } from '@lintel/wire-protocol/admin/admin-permissions';
import type { EndpointDescription } from '../../cloud-bridge/src/api/define-endpoint.ts';
import { createPublicEndpoints } from '../../cloud-bridge/src/routes/public-endpoints.ts';
import type { BridgeServices } from '../../cloud-bridge/src/bridge-services-interface.ts';

export interface ApiRoute {
  readonly prefix: '/v2' | '/admin/v1';
  readonly endpoint: EndpointDescription;
  /** Null for endpoints without roles: those of the public API and of an account. */
  readonly permission: AdminPermission | null;
  readonly name: string;
  /** Names of the path parameters, without the colon. */
  readonly params: readonly string[];
}

const toRoute = (
  prefix: ApiRoute['prefix'],
  endpoint: EndpointDescription,
  permission: AdminPermission | null,
): ApiRoute => ({
  prefix,
  endpoint,
  permission,
  name: `${endpoint.method} ${prefix}${endpoint.path}`,
  params: [...endpoint.path.matchAll(/:([a-z_]+)/g)].map(([, name]) => name!),
});

/** All routes of the endpoint tables. */
export const apiRoutes = (services: BridgeServices): readonly ApiRoute[] => {
  const { account, organization, upload } = createAdminEndpoints({
    services,
    actions: {} as never,
    technicians: {} as never,
    releases: {} as never,
    onTokensRevoked: () => undefined,
  });
  return [
    ...createPublicEndpoints(services, {} as never).map(endpoint => toRoute('/v2', endpoint, null)),
    ...account.map(endpoint => toRoute('/admin/v1', endpoint, null)),
    ...[...organization, ...upload].map(endpoint => toRoute('/admin/v1', endpoint, endpoint.requiredPermission)),
  ];
};

const TREE_LINE = /^([│ ]*)[├└]── (\S+)(?: \(([A-Z, ]+)\))?$/;

/** Method and path of all routes that the server has registered. */
export const registeredRoutes = (app: FastifyInstance): string[] => {
  const parents: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap(line => {
      const [, indent = '', path = '', methods = ''] = TREE_LINE.exec(line) ?? [];
      if (path === '') return [];
      const depth = indent.length / 4;
      parents[depth] = `${depth === 0 ? '' : parents[depth - 1]}${path}`;
      const names = methods.split(', ').filter(method => method !== '' && method !== 'HEAD' && method !== 'OPTIONS');
      return names.map(method => `${method} ${parents[depth]}`);
    });
};
