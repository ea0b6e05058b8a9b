const CHUNK_BITS = 16;
const CHUNK_WORDS = 1 << CHUNK_BITS;

/**
 * Allocates runs of words of any even length, addressed by a number; 0 is never used. Freed runs are reused for the
 * same length.
 */
export class WordAllocator {
  readonly #chunks: Uint32Array[] = [];
  readonly #floats: Float64Array[] = [];
  readonly #free = new Map<number, number[]>();
  /** The current chunk and its fill level. The first two words are never allocated. */
  #current = 0;
  #filled = 2;

  constructor() {
    this.#addChunk(CHUNK_WORDS);
  }

  #addChunk(words: number): number {
    const chunk = new Uint32Array(words);
    this.#floats.push(new Float64Array(chunk.buffer));
    return this.#chunks.push(chunk) - 1;
  }

  words(run: number): Uint32Array {
    return this.#chunks[run >>> CHUNK_BITS]!;
  }

  floats(run: number): Float64Array {
    return this.#floats[run >>> CHUNK_BITS]!;
  }

  offset(run: number): number {
    return run & (CHUNK_WORDS - 1);
  }

  allocate(length: number): number {
    const freed = this.#free.get(length)?.pop();
    if (freed !== undefined) return freed;
    if (length > CHUNK_WORDS) return this.#address(this.#addChunk(length), 0);
    if (this.#filled + length > CHUNK_WORDS) {
      this.#current = this.#addChunk(CHUNK_WORDS);
      this.#filled = 0;
    }
    const run = this.#address(this.#current, this.#filled);
    this.#filled += length;
    return run;
  }

  #address(chunk: number, offset: number): number {
    return chunk * CHUNK_WORDS + offset;
  }

  free(run: number, length: number): void {
    const freed = this.#free.get(length);
    if (freed === undefined) this.#free.set(length, [run]);
    else freed.push(run);
  }
}
