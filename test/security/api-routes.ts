import { type DeclaredEndpoint, declaredApis } from '@lintel/cloud-bridge/testing';
import type { FastifyInstance } from 'fastify';

export interface ApiRoute {
  readonly prefix: '/v2' | '/admin/v1';
  readonly endpoint: DeclaredEndpoint;
  readonly name: string;
  /** Names of the path parameters, without the colon. */
  readonly params: readonly string[];
}

/** All routes of the endpoint tables. */
export const apiRoutes: readonly ApiRoute[] = Object.values(declaredApis).flatMap(({ base, endpoints }) =>
  endpoints.map(endpoint => ({
    prefix: base,
    endpoint,
    name: `${endpoint.method} ${base}${endpoint.path}`,
    params: [...endpoint.path.matchAll(/:([a-z_]+)/g)].map(([, name]) => name!),
  })),
);

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
