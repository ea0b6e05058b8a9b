import { InternedTexts } from './interned-texts.ts';
import type { MemberImageReader, MemberImageSection } from './member-image.ts';

/** One header word and 32 bytes. */
export const DIGEST_WORDS = 9;

const MOST_HEX_DIGITS = 64;
const HEX = '0123456789abcdef';
const NO_DIGIT = 0x80;

const nibbleOf = new Uint8Array(128).fill(NO_DIGIT);
for (const [value, digit] of Array.from(HEX).entries()) nibbleOf[digit.charCodeAt(0)] = value;

/** Packs lower-case hex of up to 32 bytes; false for any other text. */
const packHex = (text: string, words: Uint32Array): boolean => {
  if (text.length > MOST_HEX_DIGITS) return false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const nibble = code > 127 ? NO_DIGIT : nibbleOf[code]!;
    if (nibble === NO_DIGIT) return false;
    words[1 + (at >>> 3)]! |= nibble << (28 - 4 * (at & 7));
  }
  return true;
};

/**
 * Digests packed into words, with a subject number below 256. Lower-case hex of up to 64 digits is packed; any other
 * text is interned.
 */
export class DigestPacker {
  readonly #interned = new InternedTexts();

  #pack(subject: number, text: string, words: Uint32Array): boolean {
    words.fill(0);
    if (!packHex(text, words)) return false;
    words[0] = (subject << 8) | (text.length + 1);
    return true;
  }

  #mark(subject: number, number: number, words: Uint32Array): void {
    words.fill(0);
    words[0] = subject << 8;
    words[1] = number;
  }

  /** Writes a digest to store; call `release` when it is removed. */
  write(subject: number, text: string, words: Uint32Array): void {
    if (!this.#pack(subject, text, words)) this.#mark(subject, this.#interned.retain(text), words);
  }

  /** Writes a digest for a lookup; false if no such text is stored. */
  writeForLookup(subject: number, text: string, words: Uint32Array): boolean {
    if (this.#pack(subject, text, words)) return true;
    const number = this.#interned.find(text);
    if (number === undefined) return false;
    this.#mark(subject, number, words);
    return true;
  }

  subject(words: Uint32Array, at: number): number {
    return words[at]! >>> 8;
  }

  read(words: Uint32Array, at: number): string {
    const length = (words[at]! & 0xff) - 1;
    if (length < 0) return this.#interned.text(words[at + 1]!);
    let text = '';
    for (let digit = 0; digit < length; digit++) {
      text += HEX[(words[at + 1 + (digit >>> 3)]! >>> (28 - 4 * (digit & 7))) & 15]!;
    }
    return text;
  }

  release(words: Uint32Array, at: number): void {
    if ((words[at]! & 0xff) === 0) this.#interned.release(words[at + 1]!);
  }

  export(): Iterable<MemberImageSection> {
    return this.#interned.export();
  }

  import(image: MemberImageReader): void {
    this.#interned.import(image);
  }
}
