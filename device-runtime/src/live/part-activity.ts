import type { MonotonicTime } from '@lintel/access-core/monotonic-time';
import type { InputLineState } from '@lintel/drivers/interfaces';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';

/** A technician judges a test soon after it. */
const RECENT_MS = 15 * 60_000;

/**
 * When keypads, inputs and rules were last used, by the id of their test. In memory only: after a restart the technician
 * uses the part again.
 */
export class PartActivity {
  readonly #clock: Pick<MonotonicClock, 'now'>;
  readonly #last = new Map<string, MonotonicTime>();
  readonly #levels = new Map<string, InputLineState>();

  constructor(clock: Pick<MonotonicClock, 'now'>) {
    this.#clock = clock;
  }

  record(testId: string): void {
    this.#last.set(testId, this.#clock.now());
  }

  /** The first reading of a level is no change. */
  recordLevel(input: string, level: InputLineState): void {
    const before = this.#levels.get(input) ?? 'unknown';
    this.#levels.set(input, level);
    if (before !== 'unknown' && level !== 'unknown' && before !== level) this.record(`input:${input}`);
  }

  isRecent(testId: string): boolean {
    const last = this.#last.get(testId);
    return last !== undefined && this.#clock.now() - last <= RECENT_MS;
  }
}
