import { toHex } from '@lintel/access-core/to-hex';
import { type CardUid, isCardUidLength } from '@lintel/wire-protocol/rest/card-uid';

/** Null unless the length is a valid uid length. */
export const cardUidFromBytes = (bytes: Uint8Array): CardUid | null =>
  isCardUidLength(bytes.length) ? (toHex(bytes) as CardUid) : null;
