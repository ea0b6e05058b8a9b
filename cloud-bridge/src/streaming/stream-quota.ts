import type { Socket } from 'node:net';
import { ConnectionLimit } from '@lintel/service/connections/connection-limit';
import { ApiError } from '../http/api-error.ts';

const STREAMS_PER_CALLER = 20;
const STREAMS_PER_ORGANIZATION = 200;
/** The token of such a stream is expected in its first message. */
const UNAUTHENTICATED_STREAMS_PER_NETWORK = 50;
const RETRY_AFTER_S = '10';

const quotaError = (count: number, owner: string): ApiError =>
  new ApiError(
    'rate_limited',
    `Too many event streams: at most ${count} event streams of one ${owner} can be open`,
    { retry_after: RETRY_AFTER_S },
    { 'retry-after': RETRY_AFTER_S },
  );

/** Limits how many event streams are open at this bridge. */
export class StreamQuota {
  readonly #callers = new Map<string, number>();
  readonly #organizations = new Map<string, number>();
  readonly #unauthenticated: ConnectionLimit;

  /** `now` in milliseconds. */
  constructor(now: () => number) {
    const limits = { open: Number.POSITIVE_INFINITY, openPerNetwork: UNAUTHENTICATED_STREAMS_PER_NETWORK };
    this.#unauthenticated = new ConnectionLimit(limits, now);
  }

  /** Returns the function that ends counting the stream. `caller` is a token or session. */
  admit(caller: string, organizationId: string): () => void {
    if ((this.#callers.get(caller) ?? 0) >= STREAMS_PER_CALLER)
      throw quotaError(STREAMS_PER_CALLER, 'access token or session');
    if ((this.#organizations.get(organizationId) ?? 0) >= STREAMS_PER_ORGANIZATION)
      throw quotaError(STREAMS_PER_ORGANIZATION, 'organization');
    this.#add(this.#callers, caller, 1);
    this.#add(this.#organizations, organizationId, 1);
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      this.#add(this.#callers, caller, -1);
      this.#add(this.#organizations, organizationId, -1);
    };
  }

  /** Counts a stream whose token has not arrived for the networks of its address. */
  admitUnauthenticated(address: string): () => void {
    const release = this.#unauthenticated.admit(address);
    if (release === null) throw quotaError(UNAUTHENTICATED_STREAMS_PER_NETWORK, 'network that have sent no token');
    return release;
  }

  #add(counts: Map<string, number>, key: string, change: number): void {
    const count = (counts.get(key) ?? 0) + change;
    if (count === 0) counts.delete(key);
    else counts.set(key, count);
  }
}

export const releaseOnClose = (socket: Socket, release: () => void): void => {
  if (socket.destroyed) release();
  else socket.once('close', release);
};
