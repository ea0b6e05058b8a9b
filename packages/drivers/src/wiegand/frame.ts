import type { KeypadKey } from '@lintel/access-core/key-entry-types';
import type { CardUid } from '@lintel/wire-protocol/rest/card-uid';
import { cardUidFromBytes } from '../taps/tap-filter.ts';
import { resolveWiegandFormat, type WiegandLayout } from './formats.ts';

export interface WiegandPulse {
  readonly bit: WiegandBit;
  /** Milliseconds, timestamped by the kernel. */
  readonly at_ms: number;
  /** Counts all edges of both lines. */
  readonly sequence: number;
}

export interface WiegandState {
  readonly bits: readonly WiegandBit[];
  readonly at_ms: number;
  readonly sequence: number;
  /** A bit was lost, or the timing is invalid: all bits up to the end of the frame are dropped. */
  readonly isSpoilt: boolean;
}

export const initialWiegandState: WiegandState = { bits: [], at_ms: -Infinity, sequence: 0, isSpoilt: false };

/** Bits come about 2 ms apart, frames much further. */
export const WIEGAND_FRAME_GAP_MS = 25;
/** No reader sends this fast: both lines fall together if their ground is lost. */
const SHORTEST_GAP_MS = 0.1;
const LONGEST = 64;

const wholeFrame = ({ bits, isSpoilt }: WiegandState): readonly WiegandBit[] | null =>
  isSpoilt || bits.length === 0 ? null : bits;

export interface WiegandStep {
  readonly state: WiegandState;
  /** The frame that this input completed. */
  readonly frame: readonly WiegandBit[] | null;
  /** Something ended that was not a frame. */
  readonly hasDropped: boolean;
}

export const addWiegandPulse = (state: WiegandState, { bit, at_ms, sequence }: WiegandPulse): WiegandStep => {
  const gap = at_ms - state.at_ms;
  const isNew = gap >= WIEGAND_FRAME_GAP_MS;
  const isLost = state.sequence !== 0 && sequence !== state.sequence + 1;
  const isFull = !isNew && state.bits.length >= LONGEST;
  const next = {
    bits: isNew ? [bit] : isFull ? state.bits : [...state.bits, bit],
    at_ms,
    sequence,
    // The lost bit may belong to either of two frames: both are dropped.
    isSpoilt: isLost || isFull || gap < SHORTEST_GAP_MS || (!isNew && state.isSpoilt),
  };
  const frame = isNew && !isLost ? wholeFrame(state) : null;
  return { state: next, frame, hasDropped: isNew && state.bits.length > 0 && frame === null };
};

/** The line has been idle. All buffered edges must have been added before. */
export const endWiegandFrame = (state: WiegandState, now_ms: number): WiegandStep => {
  if (now_ms - state.at_ms < WIEGAND_FRAME_GAP_MS) return { state, frame: null, hasDropped: false };
  const frame = wholeFrame(state);
  return {
    state: { ...state, bits: [], isSpoilt: false },
    frame,
    hasDropped: state.bits.length > 0 && frame === null,
  };
};

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
