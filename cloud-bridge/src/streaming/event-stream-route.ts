import websocket from '@fastify/websocket';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError, invalidFieldError } from '../http/api-error.ts';
import { toOutageError } from '../http/error-handling.ts';
import { type AccessTokenAuthenticator, parseBearerToken } from '../http/access-token-authenticator.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import type { BridgeServices } from '../services.ts';
import type { EventFeeds } from './event-feeds.ts';
import { StreamSocketMonitor } from './stream-socket-monitor.ts';
import {
  parseAuthorizationMessage,
  parseStreamRequest,
  findStartPosition,
  type StreamRequest,
} from './stream-request.ts';
import type { StreamSocket } from './stream-socket.ts';
import { EventMessageCache, StreamSubscriber } from './stream-subscriber.ts';

export interface EventStreamDependencies {
  readonly services: BridgeServices;
  readonly authenticator: AccessTokenAuthenticator;
  readonly rateLimiter: RateLimiter;
  readonly feeds: EventFeeds;
  readonly onError: (error: unknown) => void;
  /** How often tokens are checked. A heartbeat is sent at every second check. */
  readonly tickMs: number;
}

/** An authenticated stream request with its start position. */
interface AuthorizedStream {
  readonly organizationId: string;
  readonly applicationId: string;
  readonly authorization: string;
  readonly request: StreamRequest;
  readonly position: number;
}

const PATH = '/v2/events/stream';
const TOKEN_TIMEOUT_MS = 10_000;
const MAX_MESSAGE_BYTES = 16 * 1024;
const GOING_AWAY = 1001;
/** Close code of an error: this base plus the HTTP status (4000 to 4999 is for applications). */
const CLOSE_BASE = 4000;

type Query = Readonly<Record<string, unknown>>;

const queryOf = (request: FastifyRequest): Query => request.query as Query;

const closeWithError = (socket: StreamSocket, error: unknown): void => {
  const apiError =
    error instanceof ApiError ? error : (toOutageError(error) ?? new ApiError('internal', 'Internal error'));
  socket.send(JSON.stringify({ type: 'error', error: apiError.body }));
  socket.close(CLOSE_BASE + apiError.status, apiError.type);
};

const authorizeStream = async (
  { services, authenticator, rateLimiter }: EventStreamDependencies,
  authorization: string,
  query: Query,
  openedAt: number,
): Promise<AuthorizedStream> => {
  const { organizationId, applicationId, scopes } = await authenticator.identify(authorization);
  rateLimiter.take(parseBearerToken(authorization));
  if (!scopes.has('full_read_write') && !scopes.has('full_read_only')) {
    throw new ApiError('forbidden', 'The token needs the scope full_read_only or full_read_write');
  }
  const request = parseStreamRequest(query);
  const position = await findStartPosition(services.storage, organizationId, request, openedAt);
  return { organizationId, applicationId, authorization, request, position };
};

const firstMessage = (socket: StreamSocket): Promise<string> =>
  new Promise((resolve, reject) => {
    const rejectWith = (message: string) => (): void => {
      clearTimeout(timeout);
      reject(new ApiError('unauthorized', message));
    };
    const timeout = setTimeout(rejectWith('No access token received in time'), TOKEN_TIMEOUT_MS);
    socket.once('close', rejectWith('The socket was closed'));
    socket.once('message', data => {
      clearTimeout(timeout);
      resolve(String(data));
    });
  });

/** `GET /v2/events/stream`: sends new events over a WebSocket. */
export const serveEventStream = (app: FastifyInstance, dependencies: EventStreamDependencies): void => {
  const { services, feeds, onError } = dependencies;
  const monitor = new StreamSocketMonitor(dependencies.authenticator, dependencies.tickMs);
  const messages = new EventMessageCache();
  const authorizedStreams = new WeakMap<FastifyRequest, AuthorizedStream>();

  const stream = async (socket: StreamSocket, authorized: AuthorizedStream): Promise<void> => {
    const { organizationId } = authorized;
    const feed = await feeds.getFeed(organizationId);
    const subscriber = new StreamSubscriber(
      { ...services, messages, onError },
      socket,
      authorized,
      authorized.request,
      authorized.position,
    );
    socket.once('close', () => {
      feed.removeListener(subscriber);
      feeds.releaseIfUnused(organizationId).catch(onError);
    });
    monitor.add(socket, authorized.authorization);
    await subscriber.follow(feed);
  };

  const open = async (socket: StreamSocket, request: FastifyRequest, openedAt: number): Promise<void> => {
    try {
      const authorized =
        authorizedStreams.get(request) ??
        (await authorizeStream(
          dependencies,
          parseAuthorizationMessage(await firstMessage(socket)),
          queryOf(request),
          openedAt,
        ));
      await stream(socket, authorized);
    } catch (error) {
      if (!(error instanceof ApiError)) onError(error);
      closeWithError(socket, error);
    }
  };

  app.register(websocket, {
    options: { maxPayload: MAX_MESSAGE_BYTES },
    errorHandler: (_, socket) => socket.terminate(),
    preClose: done => {
      monitor.close(GOING_AWAY, 'the bridge is stopping');
      done();
    },
  });
  app.register(async scope => {
    scope.route({
      method: 'GET',
      url: PATH,
      onRequest: async request => {
        const { authorization } = request.headers;
        if (!request.ws) await dependencies.authenticator.identify(authorization);
        // Browsers cannot send the header with a WebSocket, so they send the token in the first message.
        if (!request.ws || authorization === undefined) return;
        authorizedStreams.set(
          request,
          await authorizeStream(dependencies, authorization, queryOf(request), Number.POSITIVE_INFINITY),
        );
      },
      handler: async () => {
        throw invalidFieldError('upgrade', 'This endpoint requires a WebSocket connection');
      },
      wsHandler: (socket, request) => void open(socket, request, services.clock()),
    });
  });
};
