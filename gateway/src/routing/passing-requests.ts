import type { PeerAddress } from './peer-frame.ts';

/** In whose name actions come. */
export const BRIDGE = 'bridge';

/** Nobody waits longer for an answer. */
const LONGEST_MS = 10_000;
/** Between a nonce and the request that quotes it nothing is asked for, and yet somebody waits at a door. */
const GAP_MS = 500;
/** Of who asks and who is asked. */
const MOST_PAIRS = 1000;

interface Open {
  count: number;
  readonly last: number;
}

/** Requests in flight through the gateway: a person is at a door, or opens one remotely. */
export class PassingRequests {
  readonly #now: () => number;
  /** Who was asked last is last. */
  readonly #open = new Map<string, Open>();
  readonly #listeners = new Set<() => void>();
  #happenedAt = -Infinity;

  constructor(monotonic: () => number) {
    this.#now = monotonic;
  }

  /** One device says this to another. */
  spoken(kind: string, { signer, audience }: PeerAddress): void {
    if (kind === 'peer-request') this.asked(signer, audience);
    else if (kind === 'peer-answer') this.answered(audience, signer);
    else this.happened();
  }

  asked(from: string, to: string): void {
    this.happened();
    const pair = `${from} ${to}`;
    const count = (this.#open.get(pair)?.count ?? 0) + 1;
    this.#open.delete(pair);
    this.#open.set(pair, { count, last: this.#now() });
    if (this.#open.size > MOST_PAIRS) this.#open.delete(this.#open.keys().next().value!);
  }

  answered(from: string, to: string): void {
    this.happened();
    const pair = `${from} ${to}`;
    const open = this.#open.get(pair);
    if (open === undefined) return;
    open.count--;
    if (open.count === 0) this.#open.delete(pair);
  }

  /** Something that belongs to a request, but is neither it nor its answer. */
  happened(): void {
    this.#happenedAt = this.#now();
    for (const tell of this.#listeners) tell();
  }

  get isResting(): boolean {
    this.#forgetOld();
    return this.#open.size === 0 && this.#now() - this.#happenedAt >= GAP_MS;
  }

  listen(happened: () => void): () => void {
    this.#listeners.add(happened);
    return () => void this.#listeners.delete(happened);
  }

  #forgetOld(): void {
    for (const [pair, { last }] of this.#open) {
      if (this.#now() - last < LONGEST_MS) return;
      this.#open.delete(pair);
    }
  }
}
