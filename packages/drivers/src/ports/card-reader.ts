import type { Brand } from '@lintel/access-core/brand';
import type { CardUid } from '@lintel/wire-protocol/rest/card';
import type { FaultListener } from './part-fault.ts';
import type { ReaderSignal } from './reader-signal.ts';

/** The public key of a member token, in base64url, that a phone has just proven to hold. */
export type ProvenKey = Brand<string, 'ProvenKey'>;

/** One call for each tap: a card that stays on the reader is told once, and again only after it was taken away. */
export interface CardReader {
  onCard(listener: (uid: CardUid) => void): void;
  /** Of readers that can talk to phones. A phone that has proven a key is told here and not as a card. */
  onPhone?(listener: (key: ProvenKey) => void): void;
  onFault(listener: FaultListener): void;
  /** Of readers whose driver sees it. Null while there is no driver. */
  signal?(): ReaderSignal | null;
}
