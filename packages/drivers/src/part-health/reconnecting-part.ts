import { after } from '@lintel/access-core/monotonic';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { PartHealth } from './part-health.ts';

const LOOK_MS = 500;
const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 2_000;

export interface ReconnectingPartParts<T> {
  readonly clock: MonotonicClock;
  readonly health: PartHealth;
  /** Throws while the part is not there. */
  open(): T;
  /** Asked twice a second. Throws when the part has gone. */
  look(part: T): void;
  /** Must not throw: the part may be gone. */
  close(part: T): void;
  /** Open from now on; its lines have the state of a start. */
  opened(part: T): void;
  lost(): void;
}

const isWrongUse = (error: Error): boolean =>
  'code' in error && ['EBUSY', 'EINVAL', 'EACCES', 'EPERM'].includes(String(error.code));

/** A part that is opened again by itself for as long as it is wanted. */
export class ReconnectingPart<T> {
  readonly #keeping: ReconnectingPartParts<T>;
  #part: T | null = null;
  #retry_ms = FIRST_RETRY_MS;
  #isStopped = false;
  #cancel: () => void = () => undefined;

  constructor(keeping: ReconnectingPartParts<T>) {
    this.#keeping = keeping;
  }

  get part(): T | null {
    return this.#part;
  }

  start(): void {
    try {
      const part = this.#keeping.open();
      this.#part = part;
      this.#keeping.opened(part);
      this.#retry_ms = FIRST_RETRY_MS;
      this.#keeping.health.heal();
      this.#later(LOOK_MS, () => this.#look(part));
    } catch (error) {
      this.failed(error as Error);
    }
  }

  /** Somebody found out that the part has gone. */
  failed(error: Error): void {
    if (this.#isStopped) return;
    if (this.#part !== null) {
      this.#keeping.close(this.#part);
      this.#part = null;
      this.#keeping.lost();
    }
    this.#keeping.health.fail(isWrongUse(error) ? 'broken' : 'absent', error.message);
    this.#later(this.#retry_ms, () => this.start());
    this.#retry_ms = Math.min(this.#retry_ms * 2, LONGEST_RETRY_MS);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
    if (this.#part !== null) this.#keeping.close(this.#part);
    this.#part = null;
  }

  #look(part: T): void {
    try {
      this.#keeping.look(part);
      this.#later(LOOK_MS, () => this.#look(part));
    } catch (error) {
      this.failed(error as Error);
    }
  }

  #later(milliseconds: number, then: () => void): void {
    this.#cancel();
    const { clock } = this.#keeping;
    this.#cancel = clock.wake(after(clock.now(), milliseconds), then);
  }
}
