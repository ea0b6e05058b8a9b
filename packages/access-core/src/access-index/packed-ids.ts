import { ForeignTexts } from './foreign-texts.ts';
import { readUlid, ULID_LENGTH, writeUlid } from './ulid-words.ts';

export const ID_WORDS = 4;

/** No time of creation before the year 10889 begins so; such ids are kept as foreign texts too. */
const FOREIGN = 0xffffffff;

/** Ids of one kind, packed into four words. Suffixes are opaque: an id that is no ULID of ours is kept as a text. */
export class PackedIds<Id extends string> {
  readonly #prefix: string;
  readonly #prefixCodes: Uint8Array;
  readonly #foreign = new ForeignTexts();

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
    return writeUlid(id, prefix.length, words, at) && words[at] !== FOREIGN;
  }

  #mark(number: number, words: Uint32Array, at: number): void {
    words[at] = FOREIGN;
    words[at + 1] = 0;
    words[at + 2] = 0;
    words[at + 3] = number;
  }

  /** Writes an id that is to be kept; `release` it when it is overwritten. */
  write(id: Id, words: Uint32Array, at: number): void {
    if (!this.#pack(id, words, at)) this.#mark(this.#foreign.hold(id), words, at);
  }

  /** Writes an id to look for; false when nobody keeps such an id. */
  writeSought(id: Id, words: Uint32Array, at: number): boolean {
    if (this.#pack(id, words, at)) return true;
    const number = this.#foreign.find(id);
    if (number === undefined) return false;
    this.#mark(number, words, at);
    return true;
  }

  read(words: Uint32Array, at: number): Id {
    const text = words[at] === FOREIGN ? this.#foreign.text(words[at + 3]!) : this.#prefix + readUlid(words, at);
    return text as Id;
  }

  release(words: Uint32Array, at: number): void {
    if (words[at] === FOREIGN) this.#foreign.release(words[at + 3]!);
  }
}
