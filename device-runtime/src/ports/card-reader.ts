import type { CardUid } from '@lintel/wire-protocol/rest/card';
import type { FaultListener } from './part-fault.ts';

/** One call for each tap: a card that stays on the reader is told once, and again only after it was taken away. */
export interface CardReader {
  onCard(listener: (uid: CardUid) => void): void;
  onFault(listener: FaultListener): void;
}
