import { computeClientNetwork } from '@lintel/service/connections/client-network';
import { parseRequestBody } from '@lintel/wire-protocol/rest/parse-request-body';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { unwrapOrThrow } from '../http/api-error.ts';
import type { OrganizationCaller } from '../http/authenticated-caller.ts';
import type { RequestAdmission } from '../http/request-admission.ts';
import type { EndpointCall, ApiEndpoint } from './define-endpoint.ts';
import { createEditTag, parseIfMatch } from './etag-and-if-match.ts';
import { readIdempotencyKey, type IdempotentResponder } from './idempotency.ts';
import { toJson } from '../queries/serialize-rows-to-json.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { rejectUnstorableParams, rejectUnstorableQuery } from '../http/reject-unstorable-parameters.ts';

/** The path prefix of an API and how its callers are authenticated. */
export interface ApiDefinition<C, E extends ApiEndpoint<C>> {
  readonly prefix: string;
  readonly services: Pick<BridgeServices, 'reader' | 'writer' | 'storage'>;
  /** Throws an `ApiError` if the caller is not permitted to use the endpoint. */
  readonly authenticate: (request: FastifyRequest, endpoint: E, reply: Pick<FastifyReply, 'headers'>) => Promise<C>;
  readonly admission: RequestAdmission;
  /** Null if the API ignores the Idempotency-Key header. */
  readonly idempotency: IdempotentResponder<C> | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set after authentication; null on routes without authentication. */
    caller: Partial<OrganizationCaller> | null;
  }
}

const callOf = <C>(
  endpoint: ApiEndpoint<C>,
  request: FastifyRequest,
  { reader, writer, storage }: Pick<BridgeServices, 'reader' | 'writer' | 'storage'>,
): EndpointCall<unknown, C> => {
  const params = request.params as Record<string, string>;
  const query = request.query as Record<string, unknown>;
  rejectUnstorableParams(params);
  rejectUnstorableQuery(query);
  const body =
    endpoint.acceptsBytes === true
      ? request.body
      : endpoint.body === undefined
        ? undefined
        : unwrapOrThrow(parseRequestBody(endpoint.body, request.body === undefined ? {} : request.body));
  return { caller: request.caller as C, params, query, body, db: storage.reader, reader, writer };
};

/** Registers the endpoint as a route. Callers are authenticated before the body is parsed. */
export const serveEndpoint = <C extends Partial<OrganizationCaller>, E extends ApiEndpoint<C>>(
  app: FastifyInstance,
  endpoint: E,
  { prefix, services, authenticate, admission, idempotency }: ApiDefinition<C, E>,
): void => {
  app.route({
    method: endpoint.method,
    url: `${prefix}${endpoint.path}`,
    onRequest: async (request, reply) => {
      request.caller = await authenticate(request, endpoint, reply);
    },
    handler: async (request, reply) => {
      reply.header('content-type', 'application/json; charset=utf-8');
      const call = callOf(endpoint, request, services);
      const key = endpoint.method === 'POST' && idempotency !== null ? readIdempotencyKey(request.headers) : null;
      const ifMatch = endpoint.handleIfMatch === undefined ? null : parseIfMatch(request.headers);
      const organization = request.caller?.organizationId ?? computeClientNetwork(request.ip);
      return admission.run(endpoint, organization, async () => {
        if (key === null || idempotency === null) {
          const handled = ifMatch === null ? endpoint.handle(call) : endpoint.handleIfMatch?.(call, ifMatch);
          const response = toJson(await handled);
          if (endpoint.editedFields !== undefined) reply.header('etag', createEditTag(endpoint.editedFields, response));
          return reply.send(response);
        }
        const { json, isReplay } = await idempotency.respond(endpoint, call, { key, url: request.url });
        if (isReplay) reply.header('idempotency-replayed', 'true');
        return reply.send(json);
      });
    },
  });
};
