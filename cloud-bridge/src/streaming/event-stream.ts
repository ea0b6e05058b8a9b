import websocket from '@fastify/websocket';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError, invalid } from '../http/api-error.ts';
import type { Authenticator } from '../http/authenticate.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import type { Services } from '../services.ts';
import type { EventFeeds } from './event-feeds.ts';
import { LiveSockets } from './live-sockets.ts';
import { authorizationIn, parseStreamRequest, startPosition, type StreamRequest } from './stream-request.ts';
import type { StreamSocket } from './stream-socket.ts';
import { EventMessages, Subscriber } from './subscriber.ts';

export interface StreamDependencies {
  readonly services: Services;
  readonly authenticator: Authenticator;
  readonly rateLimiter: RateLimiter;
  readonly feeds: EventFeeds;
  readonly onError: (error: unknown) => void;
  /** How often tokens are looked at again; every second time a heartbeat is sent. */
  readonly tickMs: number;
}

/** Who may follow which log from where. */
interface Admission {
  readonly organizationId: string;
  readonly applicationId: string;
  readonly authorization: string;
  readonly request: StreamRequest;
  readonly position: number;
}

const PATH = '/v2/events/stream';
const TOKEN_MS = 10_000;
const LARGEST_MESSAGE = 16 * 1024;
const GOING_AWAY = 1001;
/** An error's close code is its HTTP status, moved to the range that applications may use. */
const CLOSE_BASE = 4000;

type Query = Readonly<Record<string, unknown>>;

const queryOf = (request: FastifyRequest): Query => request.query as Query;

const refuse = (socket: StreamSocket, error: unknown): void => {
  const known = error instanceof ApiError ? error : new ApiError('internal', 'Something went wrong here');
  socket.send(JSON.stringify({ type: 'error', error: known.body }));
  socket.close(CLOSE_BASE + known.status, known.type);
};

const admit = async (
  { services, authenticator, rateLimiter }: StreamDependencies,
  authorization: string,
  query: Query,
  openedAt: number,
): Promise<Admission> => {
  const { organizationId, applicationId, scopes } = await authenticator.identify(authorization);
  rateLimiter.take(authorization);
  if (!scopes.has('full_read_write') && !scopes.has('full_read_only')) {
    throw new ApiError('forbidden', 'The token has no scope for this: it needs full_read_only or full_read_write');
  }
  const request = parseStreamRequest(query);
  const position = await startPosition(services.storage, organizationId, request, openedAt);
  return { organizationId, applicationId, authorization, request, position };
};

const firstMessage = (socket: StreamSocket): Promise<string> =>
  new Promise((resolve, reject) => {
    const refused = (why: string) => (): void => {
      clearTimeout(late);
      reject(new ApiError('unauthorized', why));
    };
    const late = setTimeout(refused('No access token came in time'), TOKEN_MS);
    socket.once('close', refused('The socket was closed'));
    socket.once('message', data => {
      clearTimeout(late);
      resolve(String(data));
    });
  });

/** `GET /v2/events/stream`: the log of events as it grows, over a WebSocket. */
export const serveEventStream = (app: FastifyInstance, dependencies: StreamDependencies): void => {
  const { services, feeds, onError } = dependencies;
  const live = new LiveSockets(dependencies.authenticator, dependencies.tickMs);
  const messages = new EventMessages();
  const admissions = new WeakMap<FastifyRequest, Admission>();

  const stream = async (socket: StreamSocket, admission: Admission): Promise<void> => {
    const { organizationId } = admission;
    const feed = await feeds.of(organizationId);
    const subscriber = new Subscriber(
      { ...services, messages, onError },
      socket,
      admission,
      admission.request,
      admission.position,
    );
    socket.once('close', () => {
      feed.leave(subscriber);
      feeds.forget(organizationId).catch(onError);
    });
    live.add(socket, admission.authorization);
    await subscriber.follow(feed);
  };

  const open = async (socket: StreamSocket, request: FastifyRequest, openedAt: number): Promise<void> => {
    try {
      const admission =
        admissions.get(request) ??
        (await admit(dependencies, authorizationIn(await firstMessage(socket)), queryOf(request), openedAt));
      await stream(socket, admission);
    } catch (error) {
      if (!(error instanceof ApiError)) onError(error);
      refuse(socket, error);
    }
  };

  app.register(websocket, {
    options: { maxPayload: LARGEST_MESSAGE },
    errorHandler: (_, socket) => socket.terminate(),
    preClose: done => {
      live.close(GOING_AWAY, 'the bridge is stopping');
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
        // A browser cannot send the header with a WebSocket: then the token comes in the first message.
        if (!request.ws || authorization === undefined) return;
        admissions.set(request, await admit(dependencies, authorization, queryOf(request), Number.POSITIVE_INFINITY));
      },
      handler: async () => {
        throw invalid('upgrade', 'This address speaks WebSocket');
      },
      wsHandler: (socket, request) => void open(socket, request, services.clock()),
    });
  });
};
