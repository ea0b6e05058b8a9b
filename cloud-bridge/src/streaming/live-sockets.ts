import type { Authenticator } from '../http/authenticate.ts';
import type { StreamSocket } from './stream-socket.ts';

interface Live {
  readonly authorization: string;
  /** Whether it has answered since the last heartbeat. */
  answered: boolean;
}

const HEARTBEAT = JSON.stringify({ type: 'heartbeat' });
const TOKEN_ENDED = 4401;

/** Keeps an eye on open streams: a heartbeat, a look for peers that are gone, and for tokens that have ended. */
export class LiveSockets {
  readonly #authenticator: Authenticator;
  readonly #sockets = new Map<StreamSocket, Live>();
  readonly #timer: NodeJS.Timeout;
  #ticks = 0;

  constructor(authenticator: Authenticator, tickMs: number) {
    this.#authenticator = authenticator;
    this.#timer = setInterval(() => this.#tick(), tickMs).unref();
  }

  add(socket: StreamSocket, authorization: string): void {
    const live: Live = { authorization, answered: true };
    this.#sockets.set(socket, live);
    socket.on('pong', () => {
      live.answered = true;
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
    const beats = this.#ticks % 2 === 0;
    for (const [socket, live] of this.#sockets) {
      if (beats) this.#beat(socket, live);
      this.#authenticator.identify(live.authorization).catch(() => socket.close(TOKEN_ENDED, 'unauthorized'));
    }
  }

  #beat(socket: StreamSocket, live: Live): void {
    if (!live.answered) return socket.terminate();
    live.answered = false;
    socket.ping();
    socket.send(HEARTBEAT);
  }
}
