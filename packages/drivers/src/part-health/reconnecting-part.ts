import { addMilliseconds } from '@lintel/access-core/monotonic-time';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { PartHealth } from './part-health.ts';

const CHECK_MS = 500;
const FIRST_RETRY_MS = 250;
const MAX_RETRY_MS = 2_000;

export interface ReconnectingPartOptions<T> {
  readonly clock: MonotonicClock;
  readonly health: PartHealth;
  /** Throws while the part is absent. */
  open(): T;
  /** Called twice a second. Throws if the part is gone. */
  check(part: T): void;
  /** Must not throw; the part may be gone. */
  close(part: T): void;
  /** The part is open, with its lines in their initial state. */
  onOpened(part: T): void;
  onLost(): void;
}

const isUsageError = (error: Error): boolean =>
  'code' in error && ['EBUSY', 'EINVAL', 'EACCES', 'EPERM'].includes(String(error.code));

/** A part that reopens automatically until it is stopped. */
export class ReconnectingPart<T> {
  readonly #options: ReconnectingPartOptions<T>;
  #part: T | null = null;
  #retry_ms = FIRST_RETRY_MS;
  #isStopped = false;
  #cancel: () => void = () => undefined;

  constructor(options: ReconnectingPartOptions<T>) {
    this.#options = options;
  }

  get part(): T | null {
    return this.#part;
  }

  start(): void {
    try {
      const part = this.#options.open();
      this.#part = part;
      this.#options.onOpened(part);
      this.#retry_ms = FIRST_RETRY_MS;
      this.#options.health.clear();
      this.#schedule(CHECK_MS, () => this.#check(part));
    } catch (error) {
      this.reportFailure(error as Error);
    }
  }

  /** Called if another operation finds that the part is gone. */
  reportFailure(error: Error): void {
    if (this.#isStopped) return;
    if (this.#part !== null) {
      this.#options.close(this.#part);
      this.#part = null;
      this.#options.onLost();
    }
    this.#options.health.fail(isUsageError(error) ? 'broken' : 'absent', error.message);
    this.#schedule(this.#retry_ms, () => this.start());
    this.#retry_ms = Math.min(this.#retry_ms * 2, MAX_RETRY_MS);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
    if (this.#part !== null) this.#options.close(this.#part);
    this.#part = null;
  }

  #check(part: T): void {
    try {
      this.#options.check(part);
      this.#schedule(CHECK_MS, () => this.#check(part));
    } catch (error) {
      this.reportFailure(error as Error);
    }
  }

  #schedule(milliseconds: number, then: () => void): void {
    this.#cancel();
    const { clock } = this.#options;
    this.#cancel = clock.wake(addMilliseconds(clock.now(), milliseconds), then);
  }
}
