import type { MonotonicTime } from '@lintel/access-core/monotonic-time';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { CardReadingStatistics, CardReadingErrorKind } from '../../interfaces/reader-signal-quality.ts';
import { CardReadingCounter } from './card-reading-counter.ts';

/**
 * A card that approaches may fail at the edge of the field and be read a moment later: this counts as one successful
 * reading.
 */
const SAME_VISIT_MS = 1_000;

/** Combines the read attempts of one presented card into one reading. */
export class CardReadAttempts {
  readonly #clock: Pick<MonotonicClock, 'now'>;
  readonly #record: CardReadingCounter;
  #trouble: CardReadingErrorKind | null = null;
  #triedAt: MonotonicTime | null = null;

  constructor(clock: Pick<MonotonicClock, 'now'>) {
    this.#clock = clock;
    this.#record = new CardReadingCounter(clock);
  }

  read(): void {
    this.#endOldVisit();
    this.#trouble = null;
    this.#record.recordSuccess();
  }

  brokeOff(trouble: CardReadingErrorKind): void {
    this.#endOldVisit();
    this.#trouble = trouble;
    this.#triedAt = this.#clock.now();
  }

  readings(): CardReadingStatistics {
    this.#endOldVisit();
    return this.#record.readings();
  }

  #endOldVisit(): void {
    if (this.#trouble === null || this.#triedAt === null) return;
    if (this.#clock.now() - this.#triedAt <= SAME_VISIT_MS) return;
    this.#record.recordError(this.#trouble);
    this.#trouble = null;
  }
}
