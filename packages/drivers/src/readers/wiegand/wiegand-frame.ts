import type { Key } from '@lintel/access-core/key-entry-model';
import type { CardUid } from '@lintel/wire-protocol/rest/card';
import { uidOfBytes } from '../taps/uid-of-bytes.ts';

export type Bit = 0 | 1;

/** How many bits there are between the parity bits, and how many of them each parity covers, from either end. */
const formats = {
  26: { data: 24, covered: 12 },
  34: { data: 32, covered: 16 },
  // The one in the middle is covered by both.
  37: { data: 35, covered: 18 },
} as const;

export type WiegandFormat = keyof typeof formats;

export const isWiegandFormat = (length: number): length is WiegandFormat => Object.hasOwn(formats, length);

const ones = (bits: readonly Bit[]): number => bits.reduce<number>((count, bit) => count + bit, 0);

const hasParity = (bits: readonly Bit[], covered: number): boolean =>
  ones(bits.slice(0, 1 + covered)) % 2 === 0 && ones(bits.slice(-1 - covered)) % 2 === 1;

/** Exact: no format has more than 35 bits of data. */
const numberOf = (bits: readonly Bit[]): number => bits.reduce<number>((number, bit) => number * 2 + bit, 0);

/** `reversed`: readers that send the bytes of a uid of four bytes from its end. Only 34 bits carry a whole one. */
export type UidOrder = 'as_sent' | 'reversed';

/**
 * The facility and the number of the card without the parity bits, as a uid with zeros in front: 4 bytes, or 7 where it
 * does not fit. Null when the parity is wrong: a bit was lost.
 */
export const wiegandCard = (bits: readonly Bit[], order: UidOrder = 'as_sent'): CardUid | null => {
  if (!isWiegandFormat(bits.length)) return null;
  const { data, covered } = formats[bits.length];
  if (!hasParity(bits, covered)) return null;
  const digits = data <= 32 ? 8 : 14;
  const uid = Buffer.from(numberOf(bits.slice(1, -1)).toString(16).padStart(digits, '0'), 'hex');
  return uidOfBytes(order === 'reversed' && data === 32 ? uid.reverse() : uid);
};

/** `8_bit`: the complement in front; `8_bit_reversed`: behind. Both cannot be told apart by looking: 0x4B is 4 or #. */
export type KeyBurst = '4_bit' | '8_bit' | '8_bit_reversed';

const keys: readonly Key[] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '#'];

export const wiegandKey = (bits: readonly Bit[], burst: KeyBurst): Key | null => {
  if (bits.length !== (burst === '4_bit' ? 4 : 8)) return null;
  const [first, last] = [numberOf(bits.slice(0, 4)), numberOf(bits.slice(-4))];
  if (burst !== '4_bit' && (first ^ last) !== 0xf) return null;
  return keys[burst === '8_bit' ? last : first] ?? null;
};
