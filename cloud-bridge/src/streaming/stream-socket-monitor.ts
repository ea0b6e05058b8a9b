import { repeatEvery } from '@lintel/service/timing/repeating-timer';
import { ApiError } from '../http/api-error.ts';
import type { EventStreamSocket } from './stream-socket-interface.ts';

interface MonitoredSocket {
  /** Rejects with an `ApiError` when the client may no longer read the stream. */
  readonly verifyAccess: () => Promise<unknown>;
  /** True when the client has sent a pong since the last heartbeat. */
  hasAnswered: boolean;
}

const HEARTBEAT = JSON.stringify({ type: 'heartbeat' });
const UNAUTHORIZED_CLOSE_CODE = 4401;

/** Sends heartbeats and closes streams of unresponsive clients, expired tokens and ended sessions. */
export class EventStreamSocketMonitor {
  readonly #sockets = new Map<EventStreamSocket, MonitoredSocket>();
  readonly #stopTicks: () => void;
  #ticks = 0;

  constructor(tickMs: number, onError: (error: unknown) => void) {
    this.#stopTicks = repeatEvery(tickMs, () => this.#tick(), onError);
  }

  add(socket: EventStreamSocket, verifyAccess: MonitoredSocket['verifyAccess']): void {
    const monitored: MonitoredSocket = { verifyAccess, hasAnswered: true };
    this.#sockets.set(socket, monitored);
    socket.on('pong', () => {
      monitored.hasAnswered = true;
    });
    socket.once('close', () => this.#sockets.delete(socket));
    socket.send(HEARTBEAT);
  }

  close(code: number, reason: string): void {
    this.#stopTicks();
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
      monitored.verifyAccess().catch(error => {
        // Any other error, such as an outage of the database, says nothing about the access.
        if (error instanceof ApiError) socket.close(UNAUTHORIZED_CLOSE_CODE, 'unauthorized');
      });
    }
  }

  #sendHeartbeat(socket: EventStreamSocket, monitored: MonitoredSocket): void {
    if (!monitored.hasAnswered) return socket.terminate();
    monitored.hasAnswered = false;
    socket.ping();
    socket.send(HEARTBEAT);
  }
}
