import { asCardUid, type CardUid } from '@lintel/wire-protocol/rest/card';

/** Null unless a card has uids of that length. */
export const uidOfBytes = (bytes: Uint8Array): CardUid | null => asCardUid(Buffer.from(bytes).toString('hex'));
