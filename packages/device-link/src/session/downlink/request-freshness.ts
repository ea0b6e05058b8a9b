import type { MonotonicTime } from '@lintel/access-core/monotonic-time';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { TimeSync } from '../time/time-sync.ts';

/** How long the bridge waits beyond the deadline. */
const TRAVEL_MS = 1_000;
/** Requests that wait for the bridge's time. */
const MOST_WAITING_FOR_TIME = 16;

/** Common to all requests of the bridge. */
export interface TimeLimitedRequest {
  readonly request_id: string;
  readonly session_nonce: string;
  readonly sent_at?: number | null | undefined;
  readonly deadline_ms: number;
}

export type RequestFreshnessResult = 'fresh' | 'wrong_nonce' | 'too_late';

export interface RequestFreshnessDependencies {
  readonly clock: Pick<MonotonicClock, 'now'>;
  readonly time: Pick<TimeSync, 'leastNow' | 'request'>;
}

interface PostponedRequest<R> {
  readonly request: R;
  readonly late_ms: number;
  readonly receivedAt: MonotonicTime;
}

/** Accepts requests of this session that were not held back beyond their deadline. */
export class RequestFreshness<R extends TimeLimitedRequest> {
  readonly #parts: RequestFreshnessDependencies;
  readonly #settle: (request: R, freshness: RequestFreshnessResult) => void;
  /** Received before the bridge's time was known in this run, so their age is unknown. */
  #untimed: PostponedRequest<R>[] = [];
  #nonce = '';

  constructor(parts: RequestFreshnessDependencies, settle: (request: R, freshness: RequestFreshnessResult) => void) {
    this.#parts = parts;
    this.#settle = settle;
  }

  /** True when it is another session than before. */
  startSession(nonce: string): boolean {
    const isAnother = nonce !== this.#nonce;
    this.#untimed = [];
    this.#nonce = nonce;
    return isAnother;
  }

  /** `late_ms`: how long ago a message arrived that the bridge sent after this one. */
  receive(request: R, late_ms: number): void {
    const { clock, time } = this.#parts;
    if (request.session_nonce !== this.#nonce) return this.#settle(request, 'wrong_nonce');
    if (time.leastNow() === null) return this.#postpone({ request, late_ms, receivedAt: clock.now() });
    this.#settle(request, this.#freshness(request, late_ms));
  }

  /** The bridge's time is known. On an honest link it follows the hello, before any request. */
  timeReceived(): void {
    const { clock } = this.#parts;
    const waiting = this.#untimed;
    this.#untimed = [];
    for (const { request, late_ms, receivedAt } of waiting)
      this.#settle(request, this.#freshness(request, late_ms + (clock.now() - receivedAt)));
  }

  #postpone(untimed: PostponedRequest<R>): void {
    if (this.#untimed.length >= MOST_WAITING_FOR_TIME) return this.#settle(untimed.request, 'too_late');
    this.#untimed.push(untimed);
    if (this.#untimed.length === 1) this.#parts.time.request();
  }

  #freshness(request: R, late_ms: number): RequestFreshnessResult {
    return late_ms > request.deadline_ms || this.#wasHeldBack(request) ? 'too_late' : 'fresh';
  }

  #wasHeldBack({ sent_at, deadline_ms }: R): boolean {
    const { time } = this.#parts;
    const now = time.leastNow();
    if (now === null) return true;
    if (typeof sent_at !== 'number' || now - sent_at <= deadline_ms + TRAVEL_MS) return false;
    // Or the bridge's clock was set back, which its next response tells.
    time.request();
    return true;
  }
}
