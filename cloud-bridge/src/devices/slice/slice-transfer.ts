import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';
import type { EncodedChunk } from '../downlink/downlink.ts';
import type { EntryKey, EntryText } from './slice-hashes.ts';
import type { SliceScope } from '../sessions.ts';

const compress = promisify(gzip);

/** Of the text of one chunk: small enough for a controller to take apart between two taps. */
const CHUNK_CHARACTERS = 256 * 1024;
/** Below that, compressing costs more than it saves. */
const WORTH_COMPRESSING = 2048;
/** Below that, a change in one chunk is compressed at once: handing it to another thread costs more than doing it. */
const SMALL_CHARACTERS = 64 * 1024;

export interface TransferEnds {
  readonly from: number | null;
  readonly to: number;
  readonly digestKeyId: string;
}

const dropText = ({ type, id }: EntryKey): string => JSON.stringify({ type, id });

const contentOf = (put: readonly string[], drop: readonly string[]): string =>
  `"put":[${put.join(',')}],"drop":[${drop.join(',')}]`;

/**
 * A change on its way to one controller, in chunks. Each chunk's entries are compressed as soon as there are enough of
 * them; the digest and the number of chunks, which every chunk names, are known at the end only. So a chunk is put
 * together from three compressed pieces, which gzip allows and which one call unpacks.
 */
export class SliceTransfer {
  readonly ends: TransferEnds;
  readonly scope: SliceScope;
  readonly #chunkCharacters: number;
  #chunks: (string | Buffer)[] = [];
  readonly #packing: Promise<string | Buffer>[] = [];
  #digest = '';
  #put: string[] = [];
  #drop: string[] = [];
  #characters = 0;

  constructor(ends: TransferEnds, scope: SliceScope, chunkCharacters = CHUNK_CHARACTERS) {
    this.ends = ends;
    this.scope = scope;
    this.#chunkCharacters = chunkCharacters;
  }

  async put(entry: EntryText): Promise<void> {
    this.#put.push(entry.text);
    this.#characters += entry.text.length;
    if (this.#characters >= this.#chunkCharacters) await this.#closeChunk();
  }

  async drop(key: EntryKey): Promise<void> {
    const text = dropText(key);
    this.#drop.push(text);
    this.#characters += text.length;
    if (this.#characters >= this.#chunkCharacters) await this.#closeChunk();
  }

  async #closeChunk(): Promise<void> {
    const text = contentOf(this.#put, this.#drop);
    [this.#put, this.#drop, this.#characters] = [[], [], 0];
    this.#packing.push(text.length < WORTH_COMPRESSING ? Promise.resolve(text) : compress(text));
    // One chunk is compressed while the next is gathered, and no more of them wait.
    await this.#packing.at(-2);
  }

  async finish(digest: string): Promise<this> {
    this.#digest = digest;
    if (this.#packing.length === 0 && this.#characters < SMALL_CHARACTERS) {
      this.#chunks = [contentOf(this.#put, this.#drop)];
      return this;
    }
    if (this.#characters > 0) await this.#closeChunk();
    this.#chunks = await Promise.all(this.#packing);
    this.#packing.length = 0;
    return this;
  }

  get digest(): string {
    return this.#digest;
  }

  get chunks(): number {
    return this.#chunks.length;
  }

  /** Memory that it takes while it is kept for a controller that may ask again. */
  get bytes(): number {
    return this.#chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  }

  chunk(number: number): EncodedChunk {
    const { from, to, digestKeyId } = this.ends;
    const key = JSON.stringify(digestKeyId);
    const head = `{"v":1,"from":${from},"to":${to},"digest_key_id":${key},"chunk":${number},"chunks":${this.chunks},`;
    const tail = `,"digest":"${this.#digest}"}`;
    const content = this.#chunks[number]!;
    if (typeof content === 'string') {
      const text = Buffer.from(head + content + tail);
      return text.length < WORTH_COMPRESSING
        ? { body: text, encoding: 'identity' }
        : { body: gzipSync(text), encoding: 'gzip' };
    }
    return { body: Buffer.concat([gzipSync(head), content, gzipSync(tail)]), encoding: 'gzip' };
  }
}
