import { hexOf } from '@lintel/access-core/hex';
import { type CardUid, isUidLength } from '@lintel/wire-protocol/rest/card';

/** Null unless a card has uids of that length. */
export const uidOfBytes = (bytes: Uint8Array): CardUid | null =>
  isUidLength(bytes.length) ? (hexOf(bytes) as CardUid) : null;
