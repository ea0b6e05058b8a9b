import type { MonotonicTime } from '@lintel/access-core/monotonic-time';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import {
  type CardReadingStatistics,
  type CardReadingErrorKind,
  cardReadingErrors,
} from '../interfaces/reader-signal-quality.ts';

const BUCKET_MS = 60_000;
const BUCKETS = 15;
/** Clean readings, then one column per error. */
const COLUMNS = 1 + cardReadingErrors.length;

/** Counts readings over the last 15 minutes, in one-minute buckets of fixed memory. */
export class CardReadingCounter {
  readonly #clock: Pick<MonotonicClock, 'now'>;
  readonly #counts = new Uint32Array(BUCKETS * COLUMNS);
  /** The minute of each row. */
  readonly #minutes = new Float64Array(BUCKETS).fill(-Infinity);
  #cleanInARow = 0;
  #brokenAt: MonotonicTime | null = null;

  constructor(clock: Pick<MonotonicClock, 'now'>) {
    this.#clock = clock;
  }

  recordSuccess(): void {
    this.#count(0, this.#clock.now());
    this.#cleanInARow++;
  }

  recordError(trouble: CardReadingErrorKind): void {
    const now = this.#clock.now();
    this.#count(1 + cardReadingErrors.indexOf(trouble), now);
    this.#cleanInARow = 0;
    this.#brokenAt = now;
  }

  readings(): CardReadingStatistics {
    const now = this.#clock.now();
    const oldest = Math.floor(now / BUCKET_MS) - BUCKETS;
    const rows = [...this.#minutes.keys()].filter(row => this.#minutes[row]! > oldest);
    const totalOf = (column: number): number =>
      rows.reduce((total, row) => total + this.#counts[row * COLUMNS + column]!, 0);
    const broken = cardReadingErrors.map((_, index) => totalOf(1 + index));
    const most = Math.max(...broken);
    return {
      clean: totalOf(0),
      broken: broken.reduce((total, count) => total + count, 0),
      worst: most === 0 ? null : cardReadingErrors[broken.indexOf(most)]!,
      over_ms: BUCKETS * BUCKET_MS,
      clean_in_a_row: this.#cleanInARow,
      broken_ago_ms: this.#brokenAt === null ? null : now - this.#brokenAt,
    };
  }

  #count(column: number, now: MonotonicTime): void {
    const minute = Math.floor(now / BUCKET_MS);
    const row = ((minute % BUCKETS) + BUCKETS) % BUCKETS;
    if (this.#minutes[row] !== minute) {
      this.#minutes[row] = minute;
      this.#counts.fill(0, row * COLUMNS, (row + 1) * COLUMNS);
    }
    this.#counts[row * COLUMNS + column]!++;
  }
}

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
