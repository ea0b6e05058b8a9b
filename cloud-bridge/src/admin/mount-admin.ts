import cookies from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import { serveDocumentation } from '../documentation/serve.ts';
import { acceptBytes } from '../http/byte-body.ts';
import { Idempotency } from '../http/idempotency.ts';
import { serveEndpoint } from '../http/serve-endpoint.ts';
import { shortReachEndpoint } from '../devices/reach-endpoint.ts';
import type { Services } from '../services.ts';
import { releaseUploadEndpoints } from '../updates/release-endpoints.ts';
import type { AdminCaller } from './admin-caller.ts';
import { adminEndpoints } from './all-endpoints.ts';
import { adminApi } from './documented-admin-api.ts';
import { accountEndpoints } from './endpoints/account.ts';
import { accountEntrance, organizationEntrance } from './entrances.ts';
import type { AdminGate } from './identify.ts';

/** `/admin/v1`, beside `/v2`: for people who are signed in and for tokens. */
export const mountAdmin = (app: FastifyInstance, gate: AdminGate): void => {
  const { services, authenticator } = gate;
  const endpointsOn = (on: Services) => adminEndpoints(on, () => authenticator.forget());
  const ofAccount = [...accountEndpoints(services), shortReachEndpoint(services)];
  const ofOrganization = endpointsOn(services);
  const ofArchives = releaseUploadEndpoints(services);
  app.register(async scope => {
    await scope.register(cookies);
    const outer = accountEntrance(gate);
    for (const endpoint of ofAccount) serveEndpoint(scope, endpoint, outer);
    const inner = organizationEntrance(gate, new Idempotency<AdminCaller>(services, endpointsOn));
    for (const endpoint of ofOrganization) serveEndpoint(scope, endpoint, inner);
    await scope.register(async archives => {
      acceptBytes(archives);
      for (const endpoint of ofArchives) serveEndpoint(archives, endpoint, { ...inner, idempotency: null });
    });
    serveDocumentation(scope, adminApi, [...ofAccount, ...ofOrganization, ...ofArchives], services);
  });
};
