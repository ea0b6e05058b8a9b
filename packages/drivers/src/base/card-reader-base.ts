import type { CardUid } from '@lintel/wire-protocol/rest/card-uid';
import { PartHealth } from '../part-health/part-health.ts';
import type { CardReader } from '../interfaces/card-reader.ts';
import type { PartFaultListener } from '../interfaces/part-fault.ts';

export abstract class CardReaderBase implements CardReader {
  readonly health = new PartHealth();
  #listener: (uid: CardUid) => void = () => undefined;

  onCard(listener: (uid: CardUid) => void): void {
    this.#listener = listener;
  }

  onFault(listener: PartFaultListener): void {
    this.health.onFault(listener);
  }

  protected tapped(uid: CardUid): void {
    this.#listener(uid);
  }
}
