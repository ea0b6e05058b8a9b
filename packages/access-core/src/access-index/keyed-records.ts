import { checkImage, type MemberImageReader, type MemberImageSection } from './member-image.ts';

/** Returned instead of a record number if there is no record. */
export const NO_RECORD_NUMBER = -1;

/** A power of two: 16,384 records of 64 bytes are one megabyte, and growing never copies existing chunks. */
const CHUNK_BITS = 14;
const CHUNK_MASK = (1 << CHUNK_BITS) - 1;

/**
 * A slot holds the record number plus one in its low bits and six bits of the hash in its high bits, which avoid most
 * comparisons.
 */
const NUMBER_BITS = 26;
const NUMBER_MASK = 2 ** NUMBER_BITS - 1;

/**
 * Fixed-size records that begin with their key, in a hash table with open addressing. A million records are a few
 * dozen buffers for the garbage collector instead of millions of objects. Several records may share a key.
 */
export class KeyedRecords {
  readonly #keyWords: number;
  readonly #recordWords: number;
  readonly #chunks: Uint32Array[] = [];
  readonly #floats: Float64Array[] = [];
  readonly #free: number[] = [];
  #used = 0;
  #size = 0;
  #slots: Uint32Array = new Uint32Array(16);

  /** `recordWords` is even, so that pairs of words can be read as floats. */
  constructor(keyWords: number, recordWords: number) {
    this.#keyWords = keyWords;
    this.#recordWords = recordWords;
  }

  get size(): number {
    return this.#size;
  }

  /** The buffer of the record, which begins at `offset(record)`. */
  words(record: number): Uint32Array {
    return this.#chunks[record >>> CHUNK_BITS]!;
  }

  /** The same chunk as a Float64Array, at half the word index. */
  floats(record: number): Float64Array {
    return this.#floats[record >>> CHUNK_BITS]!;
  }

  offset(record: number): number {
    return (record & CHUNK_MASK) * this.#recordWords;
  }

  #hash(words: Uint32Array, at: number): number {
    let hash = 0;
    for (let index = 0; index < this.#keyWords; index++) {
      hash = Math.imul(hash ^ words[at + index]!, 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    return Math.imul(hash, 0x85ebca6b) >>> 0;
  }

  #hasKey(record: number, key: Uint32Array): boolean {
    const words = this.words(record);
    const at = this.offset(record);
    for (let index = 0; index < this.#keyWords; index++) if (words[at + index] !== key[index]) return false;
    return true;
  }

  find(key: Uint32Array): number {
    return this.#probe(key, NO_RECORD_NUMBER);
  }

  /** The next record with the same key, in no particular order. */
  findAfter(key: Uint32Array, record: number): number {
    return this.#probe(key, record);
  }

  #probe(key: Uint32Array, after: number): number {
    const hash = this.#hash(key, 0);
    const slots = this.#slots;
    const mask = slots.length - 1;
    const tag = hash >>> NUMBER_BITS;
    let passed = after === NO_RECORD_NUMBER;
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const slot = slots[at]!;
      if (slot === 0) return NO_RECORD_NUMBER;
      if (slot >>> NUMBER_BITS !== tag) continue;
      const record = (slot & NUMBER_MASK) - 1;
      if (!passed) passed = record === after;
      else if (this.#hasKey(record, key)) return record;
    }
  }

  /** Adds a record with its key; its other words are zero. */
  add(key: Uint32Array): number {
    if (this.#used === NUMBER_MASK && this.#free.length === 0) throw new RangeError('The index is full');
    if ((this.#size + 1) * 4 > this.#slots.length * 3) this.#grow();
    const record = this.#free.pop() ?? this.#used++;
    this.#makeRoom(record);
    const words = this.words(record);
    const at = this.offset(record);
    words.fill(0, at, at + this.#recordWords);
    words.set(key, at);
    this.#place(this.#slots, this.#hash(key, 0), record);
    this.#size++;
    return record;
  }

  /** The first chunk starts small and doubles, because many indexes stay small. */
  #makeRoom(record: number): void {
    const number = record >>> CHUNK_BITS;
    const present = this.#chunks[number];
    const needed = this.offset(record) + this.#recordWords;
    if (present !== undefined && present.length >= needed) return;
    const whole = this.#recordWords << CHUNK_BITS;
    const chunk = new Uint32Array(number > 0 ? whole : Math.min(whole, Math.max(needed * 2, this.#recordWords << 5)));
    if (present !== undefined) chunk.set(present);
    this.#chunks[number] = chunk;
    this.#floats[number] = new Float64Array(chunk.buffer);
  }

  #place(slots: Uint32Array, hash: number, record: number): void {
    const mask = slots.length - 1;
    let at = hash & mask;
    while (slots[at] !== 0) at = (at + 1) & mask;
    slots[at] = ((hash >>> NUMBER_BITS) << NUMBER_BITS) | (record + 1);
  }

  #grow(): void {
    const larger = new Uint32Array(this.#slots.length * 2);
    for (const slot of this.#slots) {
      if (slot === 0) continue;
      const record = (slot & NUMBER_MASK) - 1;
      this.#place(larger, this.#hash(this.words(record), this.offset(record)), record);
    }
    this.#slots = larger;
  }

  remove(record: number): void {
    const slots = this.#slots;
    const mask = slots.length - 1;
    const home = (index: number): number => {
      const held = (slots[index]! & NUMBER_MASK) - 1;
      return this.#hash(this.words(held), this.offset(held)) & mask;
    };
    let gap = this.#hash(this.words(record), this.offset(record)) & mask;
    while ((slots[gap]! & NUMBER_MASK) !== record + 1) gap = (gap + 1) & mask;
    // Moves later entries back into the gap, so that no tombstones are needed.
    for (let at = (gap + 1) & mask; slots[at] !== 0; at = (at + 1) & mask) {
      if (((at - home(at)) & mask) >= ((at - gap) & mask)) {
        slots[gap] = slots[at]!;
        gap = at;
      }
    }
    slots[gap] = 0;
    this.#free.push(record);
    this.#size--;
  }

  *export(): Generator<MemberImageSection> {
    yield Uint32Array.of(this.#used, this.#size, this.#chunks.length);
    yield this.#slots;
    yield Uint32Array.from(this.#free);
    yield* this.#chunks;
  }

  /** Only into a table without records. */
  import(image: MemberImageReader): void {
    const [used, size, chunks] = image.counts(3) as Iterable<number> as [number, number, number];
    const slots = image.words();
    const free = image.words();
    const isPowerOfTwo = slots.length >= 16 && (slots.length & (slots.length - 1)) === 0;
    checkImage(isPowerOfTwo && size * 4 <= slots.length * 3, 'Wrong number of slots');
    checkImage(size + free.length === used && free.every(record => record < used), 'Wrong free records');
    checkImage(chunks === (used + CHUNK_MASK) >>> CHUNK_BITS, 'Wrong number of record chunks');
    for (let number = 0; number < chunks; number++) this.#importChunk(image.words(), number, used);
    for (const record of free) this.#free.push(record);
    this.#slots = slots;
    this.#used = used;
    this.#size = size;
  }

  #importChunk(chunk: Uint32Array, number: number, used: number): void {
    const whole = this.#recordWords << CHUNK_BITS;
    const needed = number > 0 ? whole : Math.min(whole, used * this.#recordWords);
    checkImage(chunk.length >= needed && chunk.length <= whole && chunk.length % 2 === 0, 'Wrong length of a chunk');
    this.#chunks[number] = chunk;
    this.#floats[number] = new Float64Array(chunk.buffer);
  }
}
