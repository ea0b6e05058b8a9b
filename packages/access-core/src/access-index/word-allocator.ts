import { checkImage, type MemberImageReader, type MemberImageSection } from './member-image.ts';

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
    this.#addChunk(new Uint32Array(CHUNK_WORDS));
  }

  #addChunk(chunk: Uint32Array): number {
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
    if (length > CHUNK_WORDS) return this.#address(this.#addChunk(new Uint32Array(length)), 0);
    if (this.#filled + length > CHUNK_WORDS) {
      this.#current = this.#addChunk(new Uint32Array(CHUNK_WORDS));
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

  *export(): Generator<MemberImageSection> {
    yield Uint32Array.of(this.#current, this.#filled, this.#chunks.length, this.#free.size);
    yield* this.#chunks;
    for (const [length, runs] of this.#free) yield Uint32Array.from([length, runs.length, ...runs]);
  }

  /** Only into an allocator without runs. */
  import(image: MemberImageReader): void {
    const [current, filled, chunks, lengths] = image.counts(4) as Iterable<number> as [number, number, number, number];
    checkImage(current < chunks && filled <= CHUNK_WORDS, 'Wrong fill level');
    this.#chunks.length = 0;
    this.#floats.length = 0;
    for (let number = 0; number < chunks; number++) {
      const chunk = image.words();
      checkImage(chunk.length >= CHUNK_WORDS && chunk.length % 2 === 0, 'Wrong length of a chunk');
      this.#addChunk(chunk);
    }
    for (let number = 0; number < lengths; number++) {
      const [length = 0, count, ...runs] = image.words();
      checkImage(count === runs.length && runs.every(run => run >>> CHUNK_BITS < chunks), 'Wrong free runs');
      this.#free.set(length, runs);
    }
    this.#current = current;
    this.#filled = filled;
  }
}
