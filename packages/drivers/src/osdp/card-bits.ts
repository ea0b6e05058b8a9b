import type { WiegandLayout } from '../wiegand/formats.ts';
import type { CardUid } from '@lintel/wire-protocol/rest/card-uid';
import { cardUidFromBytes } from '../taps/tap-filter.ts';
import { type WiegandBit, decodeWiegandCard } from '../wiegand/frame.ts';

const UID_BITS: readonly number[] = [32, 56, 80];

const bitAt = (bytes: Uint8Array, at: number): WiegandBit => (((bytes[at >> 3]! >> (7 - (at & 7))) & 1) === 1 ? 1 : 0);

export const hasWiegandLayoutOfLength = (formats: readonly WiegandLayout[], bit_count: number): boolean =>
  formats.some(({ uid }) => uid.length === bit_count);

/** The uid of a card as readers send it, raw or as a Wiegand number. Null for other formats and parity errors. */
export const decodeOsdpCardBits = (
  bits: Uint8Array,
  bit_count: number,
  formats: readonly WiegandLayout[],
  reversed: boolean,
): CardUid | null => {
  if (!hasWiegandLayoutOfLength(formats, bit_count) && UID_BITS.includes(bit_count))
    return cardUidFromBytes(reversed ? bits.toReversed() : bits);
  const single = Array.from({ length: bit_count }, (_, at) => bitAt(bits, at));
  return decodeWiegandCard(single, formats, reversed ? 'reversed' : 'as_sent');
};
