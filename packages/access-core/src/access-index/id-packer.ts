import { InternedTexts } from './interned-texts.ts';
import type { MemberImageReader, MemberImageSection } from './member-image.ts';
import { readPackedUlid, ULID_LENGTH, writePackedUlid } from './packed-ulid.ts';

export const ID_WORDS = 4;

/** Not a valid creation time before the year 10889; such ids are interned as well. */
const FOREIGN = 0xffffffff;

/** Ids of one kind, packed into four words. Ids that are not lower-case ULIDs are interned. */
export class IdPacker<Id extends string> {
  readonly #prefix: string;
  readonly #prefixCodes: Uint8Array;
  readonly #interned = new InternedTexts();

  constructor(prefix: string) {
    this.#prefix = prefix;
    this.#prefixCodes = Uint8Array.from(prefix, letter => letter.charCodeAt(0));
  }

  #pack(id: Id, words: Uint32Array, at: number): boolean {
    const prefix = this.#prefixCodes;
    if (id.length !== prefix.length + ULID_LENGTH) return false;
    for (let index = 0; index < prefix.length; index++) {
      if (id.charCodeAt(index) !== prefix[index]) return false;
    }
    return writePackedUlid(id, prefix.length, words, at) && words[at] !== FOREIGN;
  }

  #mark(number: number, words: Uint32Array, at: number): void {
    words[at] = FOREIGN;
    words[at + 1] = 0;
    words[at + 2] = 0;
    words[at + 3] = number;
  }

  /** Writes an id to store; call `release` before it is overwritten. */
  write(id: Id, words: Uint32Array, at: number): void {
    if (!this.#pack(id, words, at)) this.#mark(this.#interned.retain(id), words, at);
  }

  /** Writes an id for a lookup; false if no such id is stored. */
  writeForLookup(id: Id, words: Uint32Array, at: number): boolean {
    if (this.#pack(id, words, at)) return true;
    const number = this.#interned.find(id);
    if (number === undefined) return false;
    this.#mark(number, words, at);
    return true;
  }

  read(words: Uint32Array, at: number): Id {
    const text = words[at] === FOREIGN ? this.#interned.text(words[at + 3]!) : this.#prefix + readPackedUlid(words, at);
    return text as Id;
  }

  release(words: Uint32Array, at: number): void {
    if (words[at] === FOREIGN) this.#interned.release(words[at + 3]!);
  }

  export(): Iterable<MemberImageSection> {
    return this.#interned.export();
  }

  import(image: MemberImageReader): void {
    this.#interned.import(image);
  }
}
