import type { Monotonic } from '@lintel/access-core/monotonic';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { HeardReadings, SignalTrouble } from '../../ports/reader-signal.ts';
import { SignalRecord } from './signal-record.ts';

/** Who comes nearer breaks off at the edge of the field and is read a moment later: that is one visit, and a good one. */
const SAME_VISIT_MS = 1_000;

/** Makes readings of what a contactless reader tries, again and again, while somebody holds a card there. */
export class CardReadings {
  readonly #clock: Pick<MonotonicClock, 'now'>;
  readonly #record: SignalRecord;
  #trouble: SignalTrouble | null = null;
  #triedAt: Monotonic | null = null;

  constructor(clock: Pick<MonotonicClock, 'now'>) {
    this.#clock = clock;
    this.#record = new SignalRecord(clock);
  }

  read(): void {
    this.#endOldVisit();
    this.#trouble = null;
    this.#record.clean();
  }

  brokeOff(trouble: SignalTrouble): void {
    this.#endOldVisit();
    this.#trouble = trouble;
    this.#triedAt = this.#clock.now();
  }

  readings(): HeardReadings {
    this.#endOldVisit();
    return this.#record.readings();
  }

  #endOldVisit(): void {
    if (this.#trouble === null || this.#triedAt === null) return;
    if (this.#clock.now() - this.#triedAt <= SAME_VISIT_MS) return;
    this.#record.broken(this.#trouble);
    this.#trouble = null;
  }
}
