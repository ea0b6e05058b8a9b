import type { Server, Socket } from 'node:net';
import { remoteNetwork } from './remote-network.ts';

interface Rate {
  readonly per_second: number;
  readonly burst: number;
}

const RATE_OF_ONE: Rate = { per_second: 20, burst: 80 };
const RATE_OF_ALL: Rate = { per_second: 60, burst: 240 };
const MOST_OPEN = 64;
const MOST_OPEN_OF_ONE = 16;
const MOST_REMEMBERED = 1_024;

/** What is left of a burst, refilled as time passes. */
class ConnectionBudget {
  readonly #rate: Rate;
  #left: number;
  #at: number;

  constructor(rate: Rate, now: number) {
    this.#rate = rate;
    this.#left = rate.burst;
    this.#at = now;
  }

  has(now: number): boolean {
    const { per_second, burst } = this.#rate;
    this.#left = Math.min(burst, this.#left + (Math.max(0, now - this.#at) * per_second) / 1_000);
    this.#at = now;
    return this.#left >= 1;
  }

  take(): void {
    this.#left -= 1;
  }
}

interface Remote {
  readonly budget: ConnectionBudget;
  open: number;
}

/** Who may connect: each address has a share of its own, so that one that asks too much keeps nobody else out. */
class ConnectionShares {
  readonly #all: ConnectionBudget;
  /** The longest unseen first. */
  readonly #remotes = new Map<string, Remote>();

  constructor(now: number) {
    this.#all = new ConnectionBudget(RATE_OF_ALL, now);
  }

  /** What to call when it goes; null for one that must not come. */
  admit(network: string, now: number): (() => void) | null {
    const remote = this.#seen(network, now);
    if (remote.open >= MOST_OPEN_OF_ONE || !remote.budget.has(now) || !this.#all.has(now)) return null;
    remote.budget.take();
    this.#all.take();
    remote.open += 1;
    return () => {
      remote.open -= 1;
    };
  }

  #seen(network: string, now: number): Remote {
    const remote = this.#remotes.get(network) ?? { budget: new ConnectionBudget(RATE_OF_ONE, now), open: 0 };
    this.#remotes.delete(network);
    this.#remotes.set(network, remote);
    if (this.#remotes.size > MOST_REMEMBERED) this.#forgetOne();
    return remote;
  }

  #forgetOne(): void {
    for (const [network, { open }] of this.#remotes) {
      if (open > 0) continue;
      this.#remotes.delete(network);
      return;
    }
  }
}

/**
 * A handshake costs a small board milliseconds, and the door runs on the same ones: whoever asks for too many gets none.
 * `now` in milliseconds.
 */
export const limitConnections = (server: Server, now: () => number): void => {
  const shares = new ConnectionShares(now());
  server.maxConnections = MOST_OPEN;
  server.prependListener('connection', (socket: Socket) => {
    const left = shares.admit(remoteNetwork(socket.remoteAddress), now());
    if (left === null) socket.destroy();
    else socket.once('close', left);
  });
  // Without a handshake nothing can be said in answer, and what is written waits for it for ever.
  server.prependListener('tlsClientError', (_: Error, socket: Socket) => socket.destroy());
};
