import { monotonic } from '@lintel/access-core/monotonic-time';
import { ProcessClock } from '@lintel/service/timing/process-monotonic-clock';

/** Runs in real time. A test can advance it, such as beyond the deadline of a message. */
export class AdvanceableClock extends ProcessClock {
  #aheadMs = 0;

  override now() {
    return monotonic(super.now() + this.#aheadMs);
  }

  advanceSeconds(seconds: number): void {
    this.#aheadMs += seconds * 1000;
  }
}
