import { type CardUid, cardUid } from '@lintel/wire-protocol/rest/card';

/** Null unless a card has uids of that length. */
export const uidOfBytes = (bytes: Uint8Array): CardUid | null => {
  const parsed = cardUid.safeParse(Buffer.from(bytes).toString('hex'));
  return parsed.success ? parsed.data : null;
};
