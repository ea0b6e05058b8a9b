import type { CardUid } from '@lintel/wire-protocol/rest/card';
import { cardUidFromBytes } from '../readers/taps/card-uid-from-bytes.ts';
import { type Bit, isWiegandFormat, decodeWiegandCard } from '../readers/wiegand/wiegand-frame.ts';

const UID_BITS: readonly number[] = [32, 56, 80];

const bitAt = (bytes: Uint8Array, at: number): Bit => (((bytes[at >> 3]! >> (7 - (at & 7))) & 1) === 1 ? 1 : 0);

/** The uid of a card as readers send it, raw or as a Wiegand number. Null for other formats and parity errors. */
export const decodeCardBits = (bits: Uint8Array, bit_count: number, reversed: boolean): CardUid | null => {
  if (UID_BITS.includes(bit_count)) return cardUidFromBytes(reversed ? bits.toReversed() : bits);
  if (!isWiegandFormat(bit_count)) return null;
  const single = Array.from({ length: bit_count }, (_, at) => bitAt(bits, at));
  return decodeWiegandCard(single, reversed ? 'reversed' : 'as_sent');
};
