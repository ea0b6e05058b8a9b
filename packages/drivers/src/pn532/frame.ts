import { concatenateBytes } from '@lintel/wire-protocol/encoding/length-prefixed';

/*
 * Frames of the PN532 (user manual, 6.2.1): preamble 00, start code 00 FF, length and its complement, then the direction
 * (D4 to the chip, D5 from it), code and parameters, and their complement, postamble 00. Acknowledgement and refusal are
 * frames of their own.
 */

export type Pn532Frame =
  | { readonly type: 'ack' }
  | { readonly type: 'nack' }
  /** The chip did not understand a command. */
  | { readonly type: 'error' }
  | { readonly type: 'answer'; readonly code: number; readonly data: Uint8Array }
  /** A frame with a wrong checksum. */
  | { readonly type: 'broken' };

export const PN532_NACK = Uint8Array.of(0x00, 0x00, 0xff, 0xff, 0x00, 0x00);

const TO_CHIP = 0xd4;
const FROM_CHIP = 0xd5;
const ERROR_CODE = 0x7f;
/** The longest data of the chip, in an extended frame: 264 bytes and the direction. */
const LONGEST = 265;
const LONGEST_SHORT = 255;
/** Header before the data: start code, length and complement, at most with the extended length. */
const SHORT_HEAD = 4;
const EXTENDED_HEAD = 7;

const sum = (bytes: Uint8Array): number => bytes.reduce((total, byte) => (total + byte) & 0xff, 0);
const complement = (value: number): number => -value & 0xff;

/** Always a normal frame; all commands used are short. */
export const encodePn532Command = (code: number, parameters: Uint8Array): Uint8Array => {
  const content = Uint8Array.of(TO_CHIP, code, ...parameters);
  if (content.length > LONGEST_SHORT) throw new RangeError('A command has at most 253 bytes of parameters');
  const head = Uint8Array.of(0x00, 0x00, 0xff, content.length, complement(content.length));
  return concatenateBytes([head, content, Uint8Array.of(complement(sum(content)), 0x00)]);
};

type Found =
  | { readonly next: number; readonly frame: Pn532Frame | null }
  /** More bytes are needed. */
  | 'incomplete';

const contentOf = (content: Uint8Array): Pn532Frame | null => {
  if (content.length === 1 && content[0] === ERROR_CODE) return { type: 'error' };
  if (content.length < 2 || content[0] !== FROM_CHIP) return null;
  return { type: 'answer', code: content[1]!, data: content.slice(2) };
};

/** Parses the frame whose start code is at `at`. */
const frameAt = (bytes: Uint8Array, at: number): Found => {
  const [length, check] = [bytes[at + 2], bytes[at + 3]];
  if (length === undefined || check === undefined) return 'incomplete';
  if (length === 0x00 && check === 0xff) return { next: at + SHORT_HEAD, frame: { type: 'ack' } };
  if (length === 0xff && check === 0x00) return { next: at + SHORT_HEAD, frame: { type: 'nack' } };
  if (length === 0xff && check === 0xff) return extendedAt(bytes, at);
  if (((length + check) & 0xff) !== 0) return { next: at + 2, frame: null };
  return dataAt(bytes, at, at + SHORT_HEAD, length);
};

const extendedAt = (bytes: Uint8Array, at: number): Found => {
  if (bytes.length < at + EXTENDED_HEAD) return 'incomplete';
  const length = (bytes[at + 4]! << 8) | bytes[at + 5]!;
  const isSound = ((bytes[at + 4]! + bytes[at + 5]! + bytes[at + 6]!) & 0xff) === 0 && length > 0 && length <= LONGEST;
  return isSound ? dataAt(bytes, at, at + EXTENDED_HEAD, length) : { next: at + 2, frame: null };
};

const dataAt = (bytes: Uint8Array, at: number, from: number, length: number): Found => {
  const end = from + length;
  if (bytes.length <= end) return 'incomplete';
  // A damaged frame may contain the start of a valid one, so only its start code is skipped.
  if (sum(bytes.subarray(from, end + 1)) !== 0) return { next: at + 2, frame: { type: 'broken' } };
  return { next: end + 1, frame: contentOf(bytes.subarray(from, end)) };
};

const startCodeFrom = (bytes: Uint8Array, from: number): number => {
  for (let at = bytes.indexOf(0xff, from + 1); at !== -1; at = bytes.indexOf(0xff, at + 1))
    if (bytes[at - 1] === 0x00) return at - 1;
  return -1;
};

/** Extracts frames from received bytes. Keeps at most the beginning of one frame. */
export class Pn532FrameStream {
  #pending: Uint8Array = new Uint8Array();

  take(bytes: Uint8Array): readonly Pn532Frame[] {
    const all = this.#pending.length === 0 ? bytes : concatenateBytes([this.#pending, bytes]);
    const frames: Pn532Frame[] = [];
    let from = 0;
    for (let at = startCodeFrom(all, 0); at !== -1; at = startCodeFrom(all, from)) {
      const found = frameAt(all, at);
      if (found === 'incomplete') {
        this.#pending = all.slice(at);
        return frames;
      }
      if (found.frame !== null) frames.push(found.frame);
      from = found.next;
    }
    // The first half of a start code.
    this.#pending = all.length > from && all.at(-1) === 0x00 ? Uint8Array.of(0x00) : new Uint8Array();
    return frames;
  }

  /** Drops received bytes that are obsolete. */
  forget(): void {
    this.#pending = new Uint8Array();
  }
}
