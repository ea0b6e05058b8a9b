import { createHash } from 'node:crypto';

/** Bytes in pieces as they come, read in pieces as they are needed. All that was read is in the digest. */
export class ByteSource {
  readonly #pieces: AsyncIterator<Uint8Array>;
  readonly #hash = createHash('sha256');
  #left: Buffer = Buffer.alloc(0);
  #count = 0;

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** How many bytes were read. */
  get count(): number {
    return this.#count;
  }

  digest(): string {
    return this.#hash.digest('hex');
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#pieces.next();
    if (done === true) return false;
    this.#left = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    return true;
  }

  /** At most so many of the next bytes; null at the end. */
  async some(most: number): Promise<Buffer | null> {
    while (this.#left.length === 0) if (!(await this.#more())) return null;
    const piece = this.#left.subarray(0, most);
    this.#left = this.#left.subarray(piece.length);
    this.#hash.update(piece);
    this.#count += piece.length;
    return piece;
  }

  /** Exactly so many bytes, piece by piece. Ends early where the source does: see `count`. */
  async *take(size: number): AsyncGenerator<Buffer> {
    for (let left = size; left > 0; ) {
      const piece = await this.some(left);
      if (piece === null) return;
      left -= piece.length;
      yield piece;
    }
  }

  /** Exactly so many bytes in one, or null where there are fewer. */
  async whole(size: number): Promise<Buffer | null> {
    const pieces: Buffer[] = [];
    for await (const piece of this.take(size)) pieces.push(piece);
    const bytes = Buffer.concat(pieces);
    return bytes.length === size ? bytes : null;
  }

  async end(): Promise<void> {
    await this.#pieces.return?.();
  }
}
