import type { KeypadKey } from '@lintel/access-core/key-entry-model';
import type { CardUid } from '@lintel/wire-protocol/rest/card';
import { cardUidFromBytes } from '../taps/card-uid-from-bytes.ts';

export type Bit = 0 | 1;

/** Number of data bits between the parity bits, and number of them that each parity bit covers from its end. */
const formats = {
  26: { data: 24, covered: 12 },
  34: { data: 32, covered: 16 },
  // Both parity bits cover the middle bit.
  37: { data: 35, covered: 18 },
} as const;

export type WiegandFormat = keyof typeof formats;

export const isWiegandFormat = (length: number): length is WiegandFormat => Object.hasOwn(formats, length);

const ones = (bits: readonly Bit[]): number => bits.reduce<number>((count, bit) => count + bit, 0);

const hasParity = (bits: readonly Bit[], covered: number): boolean =>
  ones(bits.slice(0, 1 + covered)) % 2 === 0 && ones(bits.slice(-1 - covered)) % 2 === 1;

/** Exact: no format has more than 35 data bits. */
const numberOf = (bits: readonly Bit[]): number => bits.reduce<number>((number, bit) => number * 2 + bit, 0);

/** `reversed`: for readers that send a 4-byte uid with its last byte first. Only 34 bits carry a whole uid. */
export type UidByteOrder = 'as_sent' | 'reversed';

/**
 * Facility code and card number without the parity bits, as a uid with leading zeros: 4 bytes, or 7 if it does not
 * fit. Null if the parity is wrong.
 */
export const decodeWiegandCard = (bits: readonly Bit[], order: UidByteOrder = 'as_sent'): CardUid | null => {
  if (!isWiegandFormat(bits.length)) return null;
  const { data, covered } = formats[bits.length];
  if (!hasParity(bits, covered)) return null;
  const digits = data <= 32 ? 8 : 14;
  const uid = Buffer.from(numberOf(bits.slice(1, -1)).toString(16).padStart(digits, '0'), 'hex');
  return cardUidFromBytes(order === 'reversed' && data === 32 ? uid.reverse() : uid);
};

/** `8_bit`: the complement first; `8_bit_reversed`: last. They cannot be detected automatically: 0x4B is 4 or #. */
export type KeyBurst = '4_bit' | '8_bit' | '8_bit_reversed';

const keys: readonly KeypadKey[] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '#'];

export const decodeWiegandKey = (bits: readonly Bit[], burst: KeyBurst): KeypadKey | null => {
  if (bits.length !== (burst === '4_bit' ? 4 : 8)) return null;
  const [first, last] = [numberOf(bits.slice(0, 4)), numberOf(bits.slice(-4))];
  if (burst !== '4_bit' && (first ^ last) !== 0xf) return null;
  return keys[burst === '8_bit' ? last : first] ?? null;
};
