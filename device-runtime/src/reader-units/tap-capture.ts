import { addMilliseconds } from '@lintel/access-core/monotonic-time';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { Tap } from '../credentials/reader-tap-type.ts';

/** A tap that a technician waited for, with its reader. */
export type CapturedTap = Tap & { readonly station: string };

interface WaitOptions {
  /** Default: any reader. */
  readonly station?: string;
  /** Who waits, see `cancel`. */
  readonly owner?: string;
  /** Aborts waiting. */
  readonly signal?: AbortSignal;
}

interface Waiter {
  readonly station: string | null;
  readonly owner: string | undefined;
  readonly settle: (captured: CapturedTap | null) => void;
}

export class TapCaptureBusyError extends Error {
  override readonly name = 'TapCaptureBusyError';
  /** What the other request waits for. */
  readonly purpose: string;

  constructor(purpose: string) {
    super(`Another request already waits for a card: ${purpose}`);
    this.purpose = purpose;
  }
}

/** Captures the next tap for a technician. A captured tap opens nothing and records no event. */
export class TapCapture {
  readonly #clock: MonotonicClock;
  readonly #onWait: (station: string | null) => void;
  #waiter: Waiter | null = null;
  #purpose = '';

  constructor(clock: MonotonicClock, onWait: (station: string | null) => void = () => undefined) {
    this.#clock = clock;
    this.#onWait = onWait;
  }

  /** Null on timeout or abort. Throws TapCaptureBusyError while another request waits. */
  waitForTap(purpose: string, ms: number, { station, signal, owner }: WaitOptions = {}): Promise<CapturedTap | null> {
    if (this.#waiter !== null) throw new TapCaptureBusyError(this.#purpose);
    if (signal?.aborted === true) return Promise.resolve(null);
    this.#purpose = purpose;
    return new Promise(resolve => {
      const giveUp = (): void => settle(null);
      const cancel = this.#clock.wake(addMilliseconds(this.#clock.now(), ms), giveUp);
      const settle = (captured: CapturedTap | null): void => {
        cancel();
        signal?.removeEventListener('abort', giveUp);
        this.#waiter = null;
        resolve(captured);
      };
      signal?.addEventListener('abort', giveUp);
      this.#waiter = { station: station ?? null, owner, settle };
      this.#onWait(this.#waiter.station);
    });
  }

  /** True when a request waited for the tap, which must then be ignored otherwise. */
  capture(station: string, tap: Tap): boolean {
    const waiter = this.#waiter;
    if (waiter === null || (waiter.station !== null && waiter.station !== station)) return false;
    waiter.settle({ ...tap, station });
    return true;
  }

  get isWaiting(): boolean {
    return this.#waiter !== null;
  }

  /**
   * Ends the wait of a request with this purpose. The next tap is for the door again. Returns false if another owner than
   * the given one waits.
   */
  cancel(purpose: string, owner?: string): boolean {
    if (this.#waiter === null || this.#purpose !== purpose) return true;
    if (owner !== undefined && this.#waiter.owner !== owner) return false;
    this.stop();
    return true;
  }

  /** Ends waiting. */
  stop(): void {
    this.#waiter?.settle(null);
  }
}
