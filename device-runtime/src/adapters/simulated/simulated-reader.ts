import { type CardUid, cardUid } from '@lintel/wire-protocol/rest/card';
import type { CardReader } from '../../ports/card-reader.ts';
import type { FaultListener, PartFault } from '../../ports/part-fault.ts';

/** A reader to tap from a page, a terminal or a test. */
export class SimulatedReader implements CardReader {
  #card: (uid: CardUid) => void = () => undefined;
  #fault: FaultListener = () => undefined;

  onCard(listener: (uid: CardUid) => void): void {
    this.#card = listener;
  }

  onFault(listener: FaultListener): void {
    this.#fault = listener;
  }

  /** False when no card has such a uid. */
  tap(uid: string): boolean {
    const parsed = cardUid.safeParse(uid);
    if (parsed.success) this.#card(parsed.data);
    return parsed.success;
  }

  fail(fault: PartFault | null): void {
    this.#fault(fault);
  }
}
