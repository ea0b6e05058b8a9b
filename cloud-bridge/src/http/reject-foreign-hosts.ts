import type { TLSSocket } from 'node:tls';
import { parseHostHeader, isLoopbackHost, isRequestTargetPath } from '@lintel/service/http/request-host';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from './api-error.ts';

const MAX_CACHED = 100;

/**
 * Refuses requests to the plain listener whose Host header names neither this machine nor the public address: a page of
 * another site could otherwise use a browser on this machine (DNS rebinding). With HTTPS the certificate prevents that.
 */
export const rejectForeignHosts = (app: FastifyInstance, publicUrl: () => string): void => {
  const accepted = new Set<string>();
  const isOwnHost = (host: string | undefined): boolean => {
    if (host === undefined) return false;
    if (accepted.has(host)) return true;
    if (!isLoopbackHost(host) && parseHostHeader(host) !== parseHostHeader(new URL(publicUrl()).host)) return false;
    if (accepted.size >= MAX_CACHED) accepted.clear();
    accepted.add(host);
    return true;
  };
  const problemOf = ({ raw: { url, socket }, headers: { host } }: FastifyRequest): ApiError | undefined => {
    if (!isRequestTargetPath(url))
      return new ApiError('invalid_request', 'The request target must be a path, such as /v2/members');
    if ((socket as Partial<TLSSocket>).encrypted === true || isOwnHost(host)) return undefined;
    const message = 'The Host header does not name this bridge. Use localhost, 127.0.0.1 or the host of --public-url';
    return new ApiError('forbidden', message);
  };
  app.addHook('onRequest', (request, _reply, done) => done(problemOf(request)));
};
