import type { Monotonic } from '@lintel/access-core/monotonic';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { BridgeTime } from './bridge-time.ts';

/** How long the bridge waits beyond the deadline. */
const TRAVEL_MS = 1_000;
/** Requests that wait for the bridge's time. */
const MOST_UNTIMED = 16;

/** What every request of the bridge says of itself. */
export interface TimedRequest {
  readonly request_id: string;
  readonly session_nonce: string;
  readonly sent_at?: number | null | undefined;
  readonly deadline_ms: number;
}

export type Standing = 'timely' | 'wrong_nonce' | 'too_late';

export interface TimelyRequestsParts {
  readonly clock: MonotonicClock;
  readonly time: Pick<BridgeTime, 'leastNow' | 'ask'>;
}

interface Untimed<R> {
  readonly asked: R;
  readonly late_ms: number;
  readonly cameAt: Monotonic;
}

/** Tells which requests count: those of this session that nobody has held back beyond their deadline. */
export class TimelyRequests<R extends TimedRequest> {
  readonly #parts: TimelyRequestsParts;
  readonly #settle: (asked: R, standing: Standing) => void;
  /** Came before the bridge had told the time in this run: how old they are is not known yet. */
  #untimed: Untimed<R>[] = [];
  #nonce = '';

  constructor(parts: TimelyRequestsParts, settle: (asked: R, standing: Standing) => void) {
    this.#parts = parts;
    this.#settle = settle;
  }

  /** True when it is another session than before. */
  sessionBegins(nonce: string): boolean {
    const isAnother = nonce !== this.#nonce;
    this.#untimed = [];
    this.#nonce = nonce;
    return isAnother;
  }

  /** `late_ms`: how long ago something was received that the bridge said after this. */
  take(asked: R, late_ms: number): void {
    const { clock, time } = this.#parts;
    if (asked.session_nonce !== this.#nonce) return this.#settle(asked, 'wrong_nonce');
    if (time.leastNow() === null) return this.#putOff({ asked, late_ms, cameAt: clock.now() });
    this.#settle(asked, this.#standing(asked, late_ms));
  }

  /** The bridge has told the time. On an honest line that is right behind the hello, before anything is asked. */
  timeCame(): void {
    const { clock } = this.#parts;
    const waiting = this.#untimed;
    this.#untimed = [];
    for (const { asked, late_ms, cameAt } of waiting)
      this.#settle(asked, this.#standing(asked, late_ms + (clock.now() - cameAt)));
  }

  #putOff(untimed: Untimed<R>): void {
    if (this.#untimed.length >= MOST_UNTIMED) return this.#settle(untimed.asked, 'too_late');
    this.#untimed.push(untimed);
    if (this.#untimed.length === 1) this.#parts.time.ask();
  }

  #standing(asked: R, late_ms: number): Standing {
    return late_ms > asked.deadline_ms || this.#wasHeldBack(asked) ? 'too_late' : 'timely';
  }

  #wasHeldBack({ sent_at, deadline_ms }: R): boolean {
    const { time } = this.#parts;
    const now = time.leastNow();
    if (now === null) return true;
    if (typeof sent_at !== 'number' || now - sent_at <= deadline_ms + TRAVEL_MS) return false;
    // Or the bridge's clock was set back, and the next answer tells.
    time.ask();
    return true;
  }
}
