import { parseRequest } from '@lintel/wire-protocol/rest/request';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { orThrow } from '../http/api-error.ts';
import type { Requester } from '../http/caller.ts';
import type { Call, Endpoint } from './endpoint.ts';
import { idempotencyKey, type KeyedAnswers } from './idempotency.ts';
import { jsonOf } from '../queries/json-text.ts';
import type { Services } from '../services.ts';
import { refuseStrangeParams, refuseStrangeQuery } from '../http/storable-text.ts';

/** Where an API is and how its callers are authenticated. */
export interface ApiAuthentication<C, E extends Endpoint<C>> {
  /** Before the path of every endpoint. */
  readonly prefix: string;
  readonly services: Pick<Services, 'reader' | 'writer'>;
  /** Throws an `ApiError` for a caller who may not use the endpoint. */
  readonly authenticate: (request: FastifyRequest, endpoint: E) => Promise<C>;
  /** Null where an Idempotency-Key has no meaning. */
  readonly idempotency: KeyedAnswers<C> | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Known once whoever asks has been let in; null on addresses that are open to all. */
    caller: Partial<Requester> | null;
  }
}

const callOf = <C>(
  endpoint: Endpoint<C>,
  request: FastifyRequest,
  { reader, writer }: Pick<Services, 'reader' | 'writer'>,
): Call<unknown, C> => {
  const params = request.params as Record<string, string>;
  const query = request.query as Record<string, unknown>;
  refuseStrangeParams(params);
  refuseStrangeQuery(query);
  const body =
    endpoint.takesBytes === true
      ? request.body
      : endpoint.body === undefined
        ? undefined
        : orThrow(parseRequest(endpoint.body, request.body === undefined ? {} : request.body));
  return { caller: request.caller as C, params, query, body, reader, writer };
};

/** Authenticates before the body is parsed. */
export const serveEndpoint = <C extends Partial<Requester>, E extends Endpoint<C>>(
  app: FastifyInstance,
  endpoint: E,
  { prefix, services, authenticate, idempotency }: ApiAuthentication<C, E>,
): void => {
  app.route({
    method: endpoint.method,
    url: `${prefix}${endpoint.path}`,
    onRequest: async request => {
      request.caller = await authenticate(request, endpoint);
    },
    handler: async (request, reply) => {
      reply.header('content-type', 'application/json; charset=utf-8');
      const call = callOf(endpoint, request, services);
      const key = endpoint.method === 'POST' && idempotency !== null ? idempotencyKey(request.headers) : null;
      if (key === null || idempotency === null) return reply.send(jsonOf(await endpoint.handle(call)));
      const { json, isReplay } = await idempotency.answer(endpoint, call, { key, url: request.url });
      if (isReplay) reply.header('idempotency-replayed', 'true');
      return reply.send(json);
    },
  });
};
