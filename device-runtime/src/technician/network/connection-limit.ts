import type { Server, Socket } from 'node:net';
import { computeClientNetwork } from './compute-client-network.ts';

interface Rate {
  readonly per_second: number;
  readonly burst: number;
}

const RATE_PER_REMOTE: Rate = { per_second: 20, burst: 80 };
const TOTAL_RATE: Rate = { per_second: 60, burst: 240 };
const MOST_OPEN = 64;
const MOST_OPEN_PER_REMOTE = 16;
const MOST_REMEMBERED = 1_024;

/** A token bucket. */
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

/** Limits connections per network, so that one client does not block others. */
class ConnectionShares {
  readonly #all: ConnectionBudget;
  /** Least recently seen first. */
  readonly #remotes = new Map<string, Remote>();

  constructor(now: number) {
    this.#all = new ConnectionBudget(TOTAL_RATE, now);
  }

  /** Returns a function to call when the connection closes; null rejects it. */
  admit(network: string, now: number): (() => void) | null {
    const remote = this.#remoteOf(network, now);
    if (remote.open >= MOST_OPEN_PER_REMOTE || !remote.budget.has(now) || !this.#all.has(now)) return null;
    remote.budget.take();
    this.#all.take();
    remote.open += 1;
    return () => {
      remote.open -= 1;
    };
  }

  #remoteOf(network: string, now: number): Remote {
    const remote = this.#remotes.get(network) ?? { budget: new ConnectionBudget(RATE_PER_REMOTE, now), open: 0 };
    this.#remotes.delete(network);
    this.#remotes.set(network, remote);
    if (this.#remotes.size > MOST_REMEMBERED) this.#evictIdle();
    return remote;
  }

  #evictIdle(): void {
    for (const [network, { open }] of this.#remotes) {
      if (open > 0) continue;
      this.#remotes.delete(network);
      return;
    }
  }
}

/**
 * TLS handshakes take CPU time from the door, so excess connections are rejected. `now` in milliseconds.
 */
export const limitConnections = (server: Server, now: () => number): void => {
  const shares = new ConnectionShares(now());
  server.maxConnections = MOST_OPEN;
  server.prependListener('connection', (socket: Socket) => {
    const release = shares.admit(computeClientNetwork(socket.remoteAddress), now());
    if (release === null) socket.destroy();
    else socket.once('close', release);
  });
  // Without a handshake a response would wait forever.
  server.prependListener('tlsClientError', (_: Error, socket: Socket) => socket.destroy());
};
