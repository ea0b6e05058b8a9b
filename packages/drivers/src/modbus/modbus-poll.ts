import { addMilliseconds } from '@lintel/access-core/monotonic';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { PartHealth } from '../part-health/part-health.ts';
import { type ModbusBus, ModbusFrameError, ModbusExceptionError, type ModbusUnit } from './modbus-bus.ts';

interface ModbusPollDependencies {
  readonly bus: ModbusBus;
  readonly clock: MonotonicClock;
  readonly unit: number;
  readonly every_ms: number;
  readonly health: PartHealth;
  read(board: ModbusUnit): Promise<readonly boolean[]>;
  answered(values: readonly boolean[]): void;
  /** Called before the fault is cleared. */
  healed(): void;
  lost(): void;
}

/** An absent board is polled less often, so that it does not delay the other boards on the line. */
const AWAY_MS = 500;

/** Polls one board for its values and its presence. */
export class ModbusPoll {
  readonly #parts: ModbusPollDependencies;
  #isStopped = false;
  #cancel: () => void = () => undefined;

  constructor(parts: ModbusPollDependencies) {
    this.#parts = parts;
    parts.bus.onFault(fault => {
      if (fault !== null) this.failed(new Error(fault.message));
    });
    void this.#ask();
  }

  /** Another operation found that the board is faulty. */
  failed(error: Error): void {
    if (this.#isStopped) return;
    this.#parts.lost();
    const isThere = error instanceof ModbusExceptionError || error instanceof ModbusFrameError;
    this.#parts.health.fail(isThere ? 'broken' : 'absent', error.message);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  async #ask(): Promise<void> {
    const { bus, clock, every_ms, health, unit } = this.#parts;
    try {
      const values = await bus.request(unit, 'poll', board => this.#parts.read(board));
      if (!this.#isStopped) this.#answered(values);
    } catch (error) {
      this.failed(error as Error);
    }
    if (this.#isStopped) return;
    const pause = health.fault === null ? every_ms : AWAY_MS;
    this.#cancel = clock.wake(addMilliseconds(clock.now(), pause), () => void this.#ask());
  }

  #answered(values: readonly boolean[]): void {
    const { health } = this.#parts;
    if (health.fault !== null) {
      this.#parts.healed();
      health.clear();
    }
    this.#parts.answered(values);
  }
}
