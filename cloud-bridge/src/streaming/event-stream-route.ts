import cookies from '@fastify/cookie';
import websocket from '@fastify/websocket';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Timers } from '@lintel/service/timing/timers';
import type { ApiAuthenticationDependencies } from '../accounts/authenticate-by-bearer-token-or-session-cookie.ts';
import { ApiError, createInvalidFieldError } from '../http/api-error.ts';
import { toOutageError } from '../http/error-handling.ts';
import { BacklogTurns } from './backlog-turns.ts';
import type { EventFeeds } from './event-feeds.ts';
import {
  authorizeAdminEventStream,
  authorizeEventStreamByToken,
  type EventStreamAccess,
} from './authorize-event-stream.ts';
import { EventStreamSocketMonitor } from './stream-socket-monitor.ts';
import {
  parseStreamAuthorizationMessage,
  parseEventStreamRequest,
  requireEventStreamStartPosition,
  type EventStreamRequest,
} from './stream-request.ts';
import { StreamQuota, releaseOnClose } from './stream-quota.ts';
import type { EventStreamSocket } from './stream-socket-interface.ts';
import { type Corkable, EventMessageCache, EventStreamSubscriber } from './stream-subscriber.ts';

export interface EventStreamDependencies extends ApiAuthenticationDependencies {
  readonly feeds: EventFeeds;
  readonly onError: (error: unknown) => void;
  /** How often tokens and sessions are checked. A heartbeat is sent at every second check. */
  readonly tickMs: number;
  /** Limit how long a client takes to read. */
  readonly timers: Timers;
}

/** An authenticated stream request with its start position. */
interface AuthorizedStream extends EventStreamAccess {
  readonly request: EventStreamRequest;
  readonly position: number;
}

const PATH = '/v2/events/stream';
const ADMIN_PATH = '/admin/v1/organizations/:organization_id/events/stream';
const TOKEN_TIMEOUT_MS = 10_000;
const MAX_MESSAGE_BYTES = 16 * 1024;
const GOING_AWAY = 1001;
/** Close code of an error: this base plus the HTTP status (4000 to 4999 is for applications). */
const CLOSE_BASE = 4000;

type Query = Readonly<Record<string, unknown>>;

const queryOf = (request: FastifyRequest): Query => request.query as Query;

const closeWithError = (socket: EventStreamSocket, error: unknown): void => {
  const apiError =
    error instanceof ApiError
      ? error
      : (toOutageError(error) ??
        new ApiError('internal', 'The bridge has an internal error. Search its log for the stream'));
  socket.send(JSON.stringify({ type: 'error', error: apiError.body }));
  socket.close(CLOSE_BASE + apiError.status, apiError.type);
};

const startStream = async (
  { services }: EventStreamDependencies,
  access: EventStreamAccess,
  query: Query,
  openedAt: number,
): Promise<AuthorizedStream> => {
  const request = parseEventStreamRequest(query);
  const position = await requireEventStreamStartPosition(
    services.storage,
    access.viewer.organizationId,
    request,
    openedAt,
  );
  return { ...access, request, position };
};

const firstMessage = (socket: EventStreamSocket): Promise<string> =>
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

/** `GET …/events/stream` of the public and the administration API: sends new events over a WebSocket. */
export const serveEventStream = (app: FastifyInstance, dependencies: EventStreamDependencies): void => {
  const { services, admission, feeds, onError, timers } = dependencies;
  const monitor = new EventStreamSocketMonitor(dependencies.tickMs, dependencies.onError);
  const messages = new EventMessageCache();
  const backlogs = new BacklogTurns();
  const quota = new StreamQuota(() => performance.now());
  const authorizedStreams = new WeakMap<FastifyRequest, AuthorizedStream>();
  /** Streams whose token has not arrived. */
  const unauthenticated = new WeakMap<FastifyRequest, () => void>();

  const stream = async (
    socket: EventStreamSocket,
    connection: Corkable,
    authorized: AuthorizedStream,
  ): Promise<void> => {
    const { organizationId } = authorized.viewer;
    const feed = await feeds.getFeed(organizationId);
    const subscriber = new EventStreamSubscriber(
      { ...services, admission, backlogs, messages, onError, timers },
      socket,
      connection,
      authorized,
      authorized.request,
      authorized.position,
    );
    socket.once('close', () => {
      feed.removeListener(subscriber);
      feeds.releaseIfUnused(organizationId).catch(onError);
    });
    monitor.add(socket, authorized.verify);
    await subscriber.follow(feed);
  };

  const admit = async (
    request: FastifyRequest,
    access: EventStreamAccess,
    openedAt: number,
  ): Promise<AuthorizedStream> => {
    if (request.ws) {
      releaseOnClose(request.raw.socket, quota.admit(access.caller, access.viewer.organizationId));
      unauthenticated.get(request)?.();
    }
    return startStream(dependencies, access, queryOf(request), openedAt);
  };

  const authorizeFirstMessage = async (socket: EventStreamSocket): Promise<EventStreamAccess> =>
    authorizeEventStreamByToken(dependencies, parseStreamAuthorizationMessage(await firstMessage(socket)));

  const open = async (socket: EventStreamSocket, request: FastifyRequest, openedAt: number): Promise<void> => {
    try {
      const authorized =
        authorizedStreams.get(request) ?? (await admit(request, await authorizeFirstMessage(socket), openedAt));
      await stream(socket, request.raw.socket, authorized);
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
  const authorize = async (request: FastifyRequest, access: EventStreamAccess): Promise<void> => {
    authorizedStreams.set(request, await admit(request, access, Number.POSITIVE_INFINITY));
  };
  const route = {
    method: 'GET',
    handler: async () => {
      throw createInvalidFieldError('upgrade', 'This endpoint requires a WebSocket connection');
    },
    wsHandler: (socket: EventStreamSocket, request: FastifyRequest) => void open(socket, request, services.clock()),
  } as const;
  app.register(async scope => {
    scope.route({
      ...route,
      url: PATH,
      onRequest: async request => {
        const { authorization } = request.headers;
        if (!request.ws) await dependencies.authenticator.identify(authorization);
        if (!request.ws) return;
        if (authorization === undefined) {
          // Browsers cannot send the header with a WebSocket, so they send the token in the first message.
          const release = quota.admitUnauthenticated(request.ip);
          releaseOnClose(request.raw.socket, release);
          unauthenticated.set(request, release);
          return;
        }
        await authorize(request, await authorizeEventStreamByToken(dependencies, authorization));
      },
    });
  });
  app.register(async scope => {
    await scope.register(cookies);
    scope.route({
      ...route,
      url: ADMIN_PATH,
      onRequest: async request => authorize(request, await authorizeAdminEventStream(dependencies, request)),
    });
  });
};
