import type { AccessTokenAuthenticator } from '../http/access-token-authenticator.ts';
import { ApiError } from '../http/api-error.ts';
import type { StreamSocket } from './stream-socket.ts';

interface MonitoredSocket {
  readonly authorization: string;
  /** True when the client has sent a pong since the last heartbeat. */
  hasAnswered: boolean;
}

const HEARTBEAT = JSON.stringify({ type: 'heartbeat' });
const UNAUTHORIZED_CLOSE_CODE = 4401;

/** Sends heartbeats and closes streams of unresponsive clients and expired tokens. */
export class StreamSocketMonitor {
  readonly #authenticator: AccessTokenAuthenticator;
  readonly #sockets = new Map<StreamSocket, MonitoredSocket>();
  readonly #timer: NodeJS.Timeout;
  #ticks = 0;

  constructor(authenticator: AccessTokenAuthenticator, tickMs: number) {
    this.#authenticator = authenticator;
    this.#timer = setInterval(() => this.#tick(), tickMs).unref();
  }

  add(socket: StreamSocket, authorization: string): void {
    const monitored: MonitoredSocket = { authorization, hasAnswered: true };
    this.#sockets.set(socket, monitored);
    socket.on('pong', () => {
      monitored.hasAnswered = true;
    });
    socket.once('close', () => this.#sockets.delete(socket));
    socket.send(HEARTBEAT);
  }

  close(code: number, reason: string): void {
    clearInterval(this.#timer);
    for (const socket of this.#sockets.keys()) {
      socket.close(code, reason);
      setTimeout(() => socket.terminate(), 500).unref();
    }
  }

  #tick(): void {
    this.#ticks += 1;
    const isHeartbeat = this.#ticks % 2 === 0;
    for (const [socket, monitored] of this.#sockets) {
      if (isHeartbeat) this.#sendHeartbeat(socket, monitored);
      this.#authenticator.identify(monitored.authorization).catch(error => {
        // Any other error, such as an outage of the database, says nothing about the token.
        if (error instanceof ApiError) socket.close(UNAUTHORIZED_CLOSE_CODE, 'unauthorized');
      });
    }
  }

  #sendHeartbeat(socket: StreamSocket, monitored: MonitoredSocket): void {
    if (!monitored.hasAnswered) return socket.terminate();
    monitored.hasAnswered = false;
    socket.ping();
    socket.send(HEARTBEAT);
  }
}
