import type { KeypadKey } from '@lintel/access-core/key-entry-types';
import { resolveWiegandFormat, type WiegandLayout } from '@lintel/hardware-profiles/wiegand-formats';
import type { CardUid } from '@lintel/wire-protocol/rest/card-uid';
import { cardUidFromBytes } from '../taps/card-uid-from-bytes.ts';

export type WiegandBit = 0 | 1;

const numberOf = (bits: readonly WiegandBit[]): number => bits.reduce<number>((number, bit) => number * 2 + bit, 0);

/** `reversed`: for readers that send a uid with its last byte first. */
export type UidByteOrder = 'as_sent' | 'reversed';

const SHORTEST_UID_BITS = 32;
const UID_BYTES: readonly number[] = [4, 7, 10];

const hasParity = (bits: readonly WiegandBit[], mask: string): boolean => {
  const ones = bits.filter((bit, at) => bit === 1 && mask[at] !== '-').length;
  return ones % 2 === (mask.includes('O') ? 1 : 0);
};

/** The bits as bytes, with leading zeros. */
const bytesOf = (bits: readonly WiegandBit[]): Buffer => {
  const text = bits.join('').padStart(Math.ceil(bits.length / 8) * 8, '0');
  return Buffer.from(text.match(/.{8}/g)!.map(byte => Number.parseInt(byte, 2)));
};

/**
 * The bits of the uid without parity bits, such as facility code and card number, with leading zeros: 4, 7 or 10
 * bytes. Null if no layout has this length or the parity is wrong. Only whole uids have a byte order.
 */
export const decodeWiegandCard = (
  bits: readonly WiegandBit[],
  layouts: readonly WiegandLayout[],
  order: UidByteOrder = 'as_sent',
): CardUid | null => {
  const layout = layouts.find(({ uid }) => uid.length === bits.length);
  if (layout === undefined || !layout.parity.every(mask => hasParity(bits, mask))) return null;
  const data = bits.filter((_, at) => layout.uid[at] === 'U');
  const isWhole = data.length >= SHORTEST_UID_BITS && data.length % 8 === 0;
  const bytes = bytesOf(data);
  const length = UID_BYTES.find(size => size >= bytes.length) ?? 0;
  const ordered = order === 'reversed' && isWhole ? bytes.reverse() : bytes;
  return cardUidFromBytes(Buffer.concat([Buffer.alloc(Math.max(0, length - bytes.length)), ordered]));
};

/** PINs of a keypad that sends them like a card of this facility. */
export interface WiegandPinFormat {
  readonly facility: number;
  /** Zeros in front are lost and added again. */
  readonly digits: number;
}

/** A uid of four bytes begins with a zero before the facility. */
const FACILITY_AT = 1;

/** The keys of a PIN and # to submit it. Null if the frame is not a PIN. */
export const decodeWiegandPin = (
  bits: readonly WiegandBit[],
  { facility, digits }: WiegandPinFormat,
): readonly KeypadKey[] | null => {
  const uid = decodeWiegandCard(bits, [resolveWiegandFormat(26)]);
  if (uid === null) return null;
  const [first, ...number] = Buffer.from(uid, 'hex').subarray(FACILITY_AT);
  if (first !== facility) return null;
  const pin = String(Buffer.from(number).readUInt16BE()).padStart(digits, '0');
  return pin.length > digits ? null : ([...Array.from(pin), '#'] as KeypadKey[]);
};

/** `8_bit`: the complement first; `8_bit_reversed`: last. They cannot be detected automatically: 0x4B is 4 or #. */
export type WiegandKeyFormat = '4_bit' | '8_bit' | '8_bit_reversed';

const keys: readonly KeypadKey[] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '#'];

export const decodeWiegandKey = (bits: readonly WiegandBit[], burst: WiegandKeyFormat): KeypadKey | null => {
  if (bits.length !== (burst === '4_bit' ? 4 : 8)) return null;
  const [first, last] = [numberOf(bits.slice(0, 4)), numberOf(bits.slice(-4))];
  if (burst !== '4_bit' && (first ^ last) !== 0xf) return null;
  return keys[burst === '8_bit' ? last : first] ?? null;
};
