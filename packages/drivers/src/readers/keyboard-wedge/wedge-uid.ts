import type { CardUid } from '@lintel/wire-protocol/rest/card-uid';
import { cardUidFromBytes } from '../taps/card-uid-from-bytes.ts';
import type { UidByteOrder } from '../wiegand/wiegand-frame.ts';

/**
 * `decimal`: the number of up to ten bytes; ten digits are the number printed on most 125 kHz tags. `hexadecimal`: the
 * bytes. `facility_and_card`: three digits of the facility and five of the card, as in Wiegand with 26 bits.
 */
export type WedgeNumberFormat = 'decimal' | 'hexadecimal' | 'facility_and_card';

const UID_BYTES: readonly number[] = [4, 7, 10];

const hexOf: Readonly<Record<WedgeNumberFormat, (text: string) => string | null>> = {
  decimal: text => (/^\d{5,20}$/.test(text) ? BigInt(text).toString(16) : null),
  hexadecimal: text => (/^(?:[\da-f]{2}){4,10}$/.test(text) ? text : null),
  facility_and_card: text => {
    const [facility, card] = [Number(text.slice(0, 3)), Number(text.slice(3))];
    if (!/^\d{8}$/.test(text) || facility > 0xff || card > 0xffff) return null;
    return (facility * 0x10000 + card).toString(16);
  },
};

/** With leading zeros, 4, 7 or 10 bytes. Null if the text is not such a number. */
export const decodeWedgeUid = (text: string, number: WedgeNumberFormat, order: UidByteOrder): CardUid | null => {
  const hex = hexOf[number](text);
  if (hex === null) return null;
  const length = UID_BYTES.find(size => size * 2 >= hex.length);
  if (length === undefined) return null;
  // The bytes that the reader read, without the zeros that fill up the uid.
  const read = number === 'hexadecimal' ? hex : hex.padStart(8, '0').padStart(Math.ceil(hex.length / 2) * 2, '0');
  const bytes = Buffer.from(read, 'hex');
  const ordered = order === 'reversed' ? bytes.reverse() : bytes;
  return cardUidFromBytes(Buffer.concat([Buffer.alloc(length - bytes.length), ordered]));
};
