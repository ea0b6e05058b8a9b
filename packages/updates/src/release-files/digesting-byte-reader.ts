import { createHash } from 'node:crypto';

/** Reads an arbitrary stream of chunks in the sizes that a parser needs, and digests all bytes read. */
export class DigestingByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #hash = createHash('sha256');
  #buffered: Buffer = Buffer.alloc(0);
  #count = 0;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** The number of bytes read. */
  get count(): number {
    return this.#count;
  }

  digest(): string {
    return this.#hash.digest('hex');
  }

  async #fill(): Promise<boolean> {
    const { done, value } = await this.#chunks.next();
    if (done === true) return false;
    this.#buffered = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    return true;
  }

  /** The next bytes, at least one and at most `max`; null at the end. */
  async readSome(max: number): Promise<Buffer | null> {
    while (this.#buffered.length === 0) if (!(await this.#fill())) return null;
    const chunk = this.#buffered.subarray(0, max);
    this.#buffered = this.#buffered.subarray(chunk.length);
    this.#hash.update(chunk);
    this.#count += chunk.length;
    return chunk;
  }

  /** The next `size` bytes in chunks. Ends early when the source does, see `count`. */
  async *readChunks(size: number): AsyncGenerator<Buffer> {
    for (let left = size; left > 0; ) {
      const chunk = await this.readSome(left);
      if (chunk === null) return;
      left -= chunk.length;
      yield chunk;
    }
  }

  /** The next `size` bytes; null when there are fewer. */
  async readExactly(size: number): Promise<Buffer | null> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.readChunks(size)) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    return bytes.length === size ? bytes : null;
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }
}
