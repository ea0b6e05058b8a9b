import { after } from '@lintel/access-core/monotonic';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { Tap } from '../credentials/tap.ts';

/** A tap that a technician waited for, and where it was. */
export type CaughtTap = Tap & { readonly station: string };

interface Wish {
  /** Only a tap there; any without it. */
  readonly station?: string;
  /** Whoever waits has gone. */
  readonly signal?: AbortSignal;
}

interface Waiter {
  readonly station: string | null;
  readonly settle: (caught: CaughtTap | null) => void;
}

export class NextTapBusyError extends Error {
  override readonly name = 'NextTapBusyError';
  /** What the other one waits for. */
  readonly by: string;

  constructor(by: string) {
    super(`${by} waits for a card already`);
    this.by = by;
  }
}

/** Catches the next card for a technician. What is caught opens nothing and is no event. */
export class NextTap {
  readonly #clock: MonotonicClock;
  readonly #onWait: (station: string | null) => void;
  #waiter: Waiter | null = null;
  #by = '';

  constructor(clock: MonotonicClock, onWait: (station: string | null) => void = () => undefined) {
    this.#clock = clock;
    this.#onWait = onWait;
  }

  /** Null when nobody has come in time. Throws NextTapBusyError: one at a time, or nobody knows whose card it was. */
  wait(who: string, ms: number, { station, signal }: Wish = {}): Promise<CaughtTap | null> {
    if (this.#waiter !== null) throw new NextTapBusyError(this.#by);
    if (signal?.aborted === true) return Promise.resolve(null);
    this.#by = who;
    return new Promise(resolve => {
      const giveUp = (): void => settle(null);
      const cancel = this.#clock.wake(after(this.#clock.now(), ms), giveUp);
      const settle = (caught: CaughtTap | null): void => {
        cancel();
        signal?.removeEventListener('abort', giveUp);
        this.#waiter = null;
        resolve(caught);
      };
      signal?.addEventListener('abort', giveUp);
      this.#waiter = { station: station ?? null, settle };
      this.#onWait(this.#waiter.station);
    });
  }

  /** True when somebody waited for it: then it is theirs, and nothing else becomes of it. */
  catches(station: string, tap: Tap): boolean {
    const waiter = this.#waiter;
    if (waiter === null || (waiter.station !== null && waiter.station !== station)) return false;
    waiter.settle({ ...tap, station });
    return true;
  }

  /** Nobody waits any more. */
  stop(): void {
    this.#waiter?.settle(null);
  }
}
