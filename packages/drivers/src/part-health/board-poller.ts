import { addMilliseconds } from '@lintel/access-core/monotonic-time';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { PartFaultListener } from '../interfaces/part-fault.ts';
import type { PartHealth } from './part-health.ts';

interface BoardPollDependencies<T> {
  readonly clock: MonotonicClock;
  readonly every_ms: number;
  readonly health: PartHealth;
  read(): Promise<T>;
  /** The board responded, but not as it should. Otherwise it counts as absent. */
  isBroken(error: Error): boolean;
  /** Reports faults of the connection that the board shares with others. */
  onConnectionFault?(listener: PartFaultListener): void;
  answered(values: T): void;
  /** Called before the fault is cleared. */
  healed(): void;
  lost(): void;
}

/** An absent board is polled less often, so that it does not delay other boards on the same line. */
const AWAY_MS = 500;

/** Polls one board for its values and its presence. */
export class BoardPoller<T> {
  readonly #parts: BoardPollDependencies<T>;
  #isStopped = false;
  #cancel: () => void = () => undefined;

  constructor(parts: BoardPollDependencies<T>) {
    this.#parts = parts;
    parts.onConnectionFault?.(fault => {
      if (fault !== null) this.failed(new Error(fault.message));
    });
    void this.#ask();
  }

  /** Another operation found that the board is faulty. */
  failed(error: Error): void {
    if (this.#isStopped) return;
    this.#parts.lost();
    this.#parts.health.fail(this.#parts.isBroken(error) ? 'broken' : 'absent', error.message);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  async #ask(): Promise<void> {
    const { clock, every_ms, health } = this.#parts;
    try {
      const values = await this.#parts.read();
      if (!this.#isStopped) this.#answered(values);
    } catch (error) {
      this.failed(error as Error);
    }
    if (this.#isStopped) return;
    const pause = health.fault === null ? every_ms : Math.max(every_ms, AWAY_MS);
    this.#cancel = clock.wake(addMilliseconds(clock.now(), pause), () => void this.#ask());
  }

  #answered(values: T): void {
    const { health } = this.#parts;
    if (health.fault !== null) {
      this.#parts.healed();
      health.clear();
    }
    this.#parts.answered(values);
  }
}
