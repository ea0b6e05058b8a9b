import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';
import type { SnapshotEntryKey } from '@lintel/wire-protocol/mqtt/snapshot-entry';
import type { EncodedSnapshotChunk } from '../downlink/downlink-sender.ts';
import type { SerializedSnapshotEntry } from './snapshot-entry-hashes.ts';
import type { SnapshotScope } from '../device-session-registry.ts';

const compress = promisify(gzip);

/** Small enough for a controller to parse without a noticeable delay at the door. */
const CHUNK_CHARACTERS = 256 * 1024;
/** Shorter text is sent uncompressed. */
const MIN_COMPRESSED_LENGTH = 2048;
/** A shorter single chunk is compressed synchronously, which is faster than another thread. */
const MAX_SYNC_CHARACTERS = 64 * 1024;

export interface SnapshotTransferRange {
  readonly from: number | null;
  readonly to: number;
  readonly digestKeyId: string;
}

const dropJson = ({ type, id }: SnapshotEntryKey): string => JSON.stringify({ type, id });

const chunkContent = (put: readonly string[], drop: readonly string[]): string =>
  `"put":[${put.join(',')}],"drop":[${drop.join(',')}]`;

/**
 * A snapshot or delta for one controller, in chunks. The entries of a chunk are compressed as soon as it is full. The
 * digest and the chunk count, which every chunk contains, are known only at the end, so a chunk consists of three
 * concatenated gzip members.
 */
export class SnapshotTransfer {
  readonly range: SnapshotTransferRange;
  readonly scope: SnapshotScope;
  readonly #chunkCharacters: number;
  #chunks: (string | Buffer)[] = [];
  readonly #compressions: Promise<string | Buffer>[] = [];
  #digest = '';
  #put: string[] = [];
  #drop: string[] = [];
  #characters = 0;

  constructor(range: SnapshotTransferRange, scope: SnapshotScope, chunkCharacters = CHUNK_CHARACTERS) {
    this.range = range;
    this.scope = scope;
    this.#chunkCharacters = chunkCharacters;
  }

  async put(entry: SerializedSnapshotEntry): Promise<void> {
    this.#put.push(entry.text);
    this.#characters += entry.text.length;
    if (this.#characters >= this.#chunkCharacters) await this.#closeChunk();
  }

  async drop(key: SnapshotEntryKey): Promise<void> {
    const text = dropJson(key);
    this.#drop.push(text);
    this.#characters += text.length;
    if (this.#characters >= this.#chunkCharacters) await this.#closeChunk();
  }

  async #closeChunk(): Promise<void> {
    const text = chunkContent(this.#put, this.#drop);
    [this.#put, this.#drop, this.#characters] = [[], [], 0];
    this.#compressions.push(text.length < MIN_COMPRESSED_LENGTH ? Promise.resolve(text) : compress(text));
    // Compresses one chunk while the next one fills, to limit memory.
    await this.#compressions.at(-2);
  }

  async finish(digest: string): Promise<this> {
    this.#digest = digest;
    if (this.#compressions.length === 0 && this.#characters < MAX_SYNC_CHARACTERS) {
      this.#chunks = [chunkContent(this.#put, this.#drop)];
      return this;
    }
    if (this.#characters > 0) await this.#closeChunk();
    this.#chunks = await Promise.all(this.#compressions);
    this.#compressions.length = 0;
    return this;
  }

  get digest(): string {
    return this.#digest;
  }

  get chunks(): number {
    return this.#chunks.length;
  }

  /** Memory size of the chunks. */
  get bytes(): number {
    return this.#chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  }

  chunk(number: number): EncodedSnapshotChunk {
    const { from, to, digestKeyId } = this.range;
    const key = JSON.stringify(digestKeyId);
    const head = `{"v":1,"from":${from},"to":${to},"digest_key_id":${key},"chunk":${number},"chunks":${this.chunks},`;
    const tail = `,"digest":"${this.#digest}"}`;
    const content = this.#chunks[number]!;
    if (typeof content === 'string') {
      const text = Buffer.from(head + content + tail);
      return text.length < MIN_COMPRESSED_LENGTH
        ? { body: text, encoding: 'identity' }
        : { body: gzipSync(text), encoding: 'gzip' };
    }
    return { body: Buffer.concat([gzipSync(head), content, gzipSync(tail)]), encoding: 'gzip' };
  }
}
