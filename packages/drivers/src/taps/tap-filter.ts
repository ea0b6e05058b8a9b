import type { MonotonicTime } from '@lintel/access-core/monotonic-time';
import { toHex } from '@lintel/access-core/to-hex';
import { type CardUid, isCardUidLength } from '@lintel/wire-protocol/rest/card-uid';

/** Null unless the length is a valid uid length. */
export const cardUidFromBytes = (bytes: Uint8Array): CardUid | null =>
  isCardUidLength(bytes.length) ? (toHex(bytes) as CardUid) : null;

/** More cards than fit on a reader; bounds the memory if a reader reports made-up cards. */
const MAX_CARDS = 16;

/** Combines repeated detections into one tap: a card detected recently has not been away. */
export class TapFilter {
  readonly #goneAfterMs: number;
  readonly #lastSeen = new Map<string, MonotonicTime>();
  #startedAt: MonotonicTime | null = null;

  constructor(goneAfterMs: number) {
    this.#goneAfterMs = goneAfterMs;
  }

  /** The reader begins to report: cards that it reports at once lay there before and count after they were away. */
  start(now: MonotonicTime): void {
    this.#startedAt = now;
  }

  /** True if the card is new. Records the detection in any case. */
  isNewTap(cardKey: string, now: MonotonicTime): boolean {
    const last = this.#lastSeen.get(cardKey);
    this.markPresent(cardKey, now);
    if (this.#startedAt !== null && now - this.#startedAt <= this.#goneAfterMs) return false;
    return last === undefined || now - last > this.#goneAfterMs;
  }

  /** The card is still present. */
  markPresent(cardKey: string, now: MonotonicTime): void {
    this.#lastSeen.delete(cardKey);
    this.#lastSeen.set(cardKey, now);
    if (this.#lastSeen.size <= MAX_CARDS) return;
    for (const oldest of this.#lastSeen.keys()) {
      this.#lastSeen.delete(oldest);
      return;
    }
  }

  /** The card left before it was read: the next detection is a new tap. */
  forget(cardKey: string): void {
    this.#lastSeen.delete(cardKey);
  }
}
