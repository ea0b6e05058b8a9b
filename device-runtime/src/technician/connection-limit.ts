import type { Server, Socket } from 'node:net';

const PER_SECOND = 20;
const BURST = 80;
const MOST_OPEN = 64;

/** What is left of a burst, refilled as time passes. */
export class ConnectionBudget {
  readonly #now: () => number;
  #left = BURST;
  #at: number;

  /** `now` in milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
    this.#at = now();
  }

  take(): boolean {
    const now = this.#now();
    this.#left = Math.min(BURST, this.#left + (Math.max(0, now - this.#at) * PER_SECOND) / 1_000);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}

/** A handshake costs a small board milliseconds, and the door runs on the same ones: whoever asks for too many gets none. */
export const limitConnections = (server: Server, now: () => number): void => {
  const budget = new ConnectionBudget(now);
  server.maxConnections = MOST_OPEN;
  server.prependListener('connection', (socket: Socket) => {
    if (!budget.take()) socket.destroy();
  });
};
