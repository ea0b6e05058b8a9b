import { instant } from '@lintel/access-core/instant';
import { after, type Monotonic } from '@lintel/access-core/monotonic';
import type { Time } from '@lintel/wire-protocol/mqtt/messages/time';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { WallClock } from '../clock/wall-clock.ts';
import type { Controller } from '../controller/controller.ts';
import type { Speaker } from './uplink-publisher.ts';

/** An answer that took longer may have been held back by somebody: it says nothing of the time now. */
const FRESH_MS = 10_000;
const ASK_EVERY_MS = 300_000;
const ANSWER_MS = 20_000;
/** Who does not answer so many times in a row is not the bridge. */
const MOST_UNANSWERED = 3;
const FAULT = 'bridge_silent';

export interface BridgeTimeParts {
  readonly controller: Controller;
  readonly speaker: Speaker;
  readonly clock: MonotonicClock;
  readonly wall: WallClock;
  readonly newNonce: () => string;
  readonly learned: (said: Time, isFresh: boolean) => void;
  /** Says hello again: a bridge that was started anew behind its broker does not know us. */
  readonly greet: () => void;
  readonly reconnect: () => void;
}

/**
 * Asks what time it is. Each question has a nonce, and the monotonic clock runs while it is open, so an answer is as old
 * as its question at most. An answer is also the sign that the bridge itself is at the other end: without one the
 * connection is given up.
 */
export class BridgeTime {
  readonly #parts: BridgeTimeParts;
  /** When each nonce was made that the bridge may quote. */
  readonly #asked = new Map<string, Monotonic>();
  #sessionNonce = '';
  #unanswered = 0;
  #last: { readonly time: number; readonly heardAt: Monotonic } | null = null;
  #cancel: () => void = () => undefined;

  constructor(parts: BridgeTimeParts) {
    this.#parts = parts;
  }

  /** A hello is a question too. */
  sessionBegins(nonce: string, madeAt: Monotonic): void {
    if (nonce !== this.#sessionNonce) this.#asked.clear();
    this.#sessionNonce = nonce;
    this.#asked.set(nonce, madeAt);
    this.#wait(ANSWER_MS, () => this.#notAnswered());
  }

  ends(): void {
    this.#cancel();
    this.#asked.clear();
  }

  ask(): void {
    const { speaker, clock, newNonce } = this.#parts;
    const nonce = newNonce();
    this.#asked.set(nonce, clock.now());
    void speaker.say('time-request', { v: 1, nonce });
    this.#wait(ANSWER_MS, () => this.#notAnswered());
  }

  #wait(milliseconds: number, then: () => void): void {
    const { clock } = this.#parts;
    this.#cancel();
    this.#cancel = clock.wake(after(clock.now(), milliseconds), then);
  }

  #notAnswered(): void {
    this.#unanswered += 1;
    if (this.#unanswered % MOST_UNANSWERED !== 0) return this.#parts.greet();
    const message = 'something takes our messages that does not answer for the bridge';
    this.#parts.controller.setFault(FAULT, message);
    this.#parts.reconnect();
  }

  /** What the bridge's clock says by now at least; null before it has told. */
  leastNow(): number | null {
    return this.#last === null ? null : this.#last.time + (this.#parts.clock.now() - this.#last.heardAt);
  }

  take(said: Time): void {
    const { clock, wall, learned, controller } = this.#parts;
    const askedAt = this.#asked.get(said.nonce);
    if (askedAt === undefined) return;
    const age = clock.now() - askedAt;
    const isFresh = age <= FRESH_MS;
    if (said.nonce !== this.#sessionNonce) this.#asked.delete(said.nonce);
    if (isFresh) {
      // Not a moment more: what the answer's way took is not known, and a clock that is ahead of the bridge's tells of
      // things before they have happened.
      wall.setByBridge(instant(said.time));
      this.#unanswered = 0;
      this.#last = { time: said.time, heardAt: clock.now() };
      controller.setFault(FAULT, null);
      this.#wait(ASK_EVERY_MS, () => this.ask());
    }
    learned(said, isFresh);
    // It came too late to be believed, or unasked: a question of now settles it.
    if (!isFresh) this.ask();
  }
}
