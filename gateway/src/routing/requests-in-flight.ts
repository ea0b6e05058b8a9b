import type { PeerFrameHeader } from './peer-frame-header.ts';

/** The requester of actions that come from the bridge. */
export const BRIDGE_REQUESTER = 'bridge';

/** A request without a response expires. */
const EXPIRY_MS = 10_000;
/** Covers the gap between a nonce and the request that quotes it, while a person waits at a door. */
const GAP_MS = 500;
const MAX_PAIRS = 1000;

interface PairState {
  count: number;
  readonly lastRequestAt: number;
}

/** Requests that pass through the gateway and have no response yet: a person is at a door, or opens one remotely. */
export class RequestsInFlight {
  readonly #now: () => number;
  /** By requester and target, the latest request last. */
  readonly #pairs = new Map<string, PairState>();
  readonly #listeners = new Set<() => void>();
  #lastActivityAt = -Infinity;

  constructor(monotonic: () => number) {
    this.#now = monotonic;
  }

  trackPeerMessage(kind: string, { signer, audience }: PeerFrameHeader): void {
    if (kind === 'peer-request') this.begin(signer, audience);
    else if (kind === 'peer-answer') this.end(audience, signer);
    else this.noteActivity();
  }

  begin(requester: string, target: string): void {
    this.noteActivity();
    const pair = `${requester} ${target}`;
    const count = (this.#pairs.get(pair)?.count ?? 0) + 1;
    this.#pairs.delete(pair);
    this.#pairs.set(pair, { count, lastRequestAt: this.#now() });
    if (this.#pairs.size > MAX_PAIRS) this.#pairs.delete(this.#pairs.keys().next().value!);
  }

  end(requester: string, target: string): void {
    this.noteActivity();
    const pair = `${requester} ${target}`;
    const state = this.#pairs.get(pair);
    if (state === undefined) return;
    state.count--;
    if (state.count === 0) this.#pairs.delete(pair);
  }

  /** For messages that belong to a request but neither begin nor end it. */
  noteActivity(): void {
    this.#lastActivityAt = this.#now();
    for (const listener of this.#listeners) listener();
  }

  get isIdle(): boolean {
    this.#removeExpired();
    return this.#pairs.size === 0 && this.#now() - this.#lastActivityAt >= GAP_MS;
  }

  /** The returned function unsubscribes. */
  onActivity(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #removeExpired(): void {
    for (const [pair, { lastRequestAt }] of this.#pairs) {
      if (this.#now() - lastRequestAt < EXPIRY_MS) return;
      this.#pairs.delete(pair);
    }
  }
}
