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
 * digest and the chunk count are known only at the end, so a chunk consists of three concatenated gzip members. A
 * controller that accepts chunks without them receives the first chunks while the others are built.
 */
export class SnapshotTransfer {
  readonly range: SnapshotTransferRange;
  readonly scope: SnapshotScope;
  readonly #chunkCharacters: number;
  readonly #chunks: (string | Buffer)[] = [];
  #bytes = 0;
  #lastChunkAdded = Promise.resolve();
  #digest: string | null = null;
  #failure: Error | null = null;
  #changed = Promise.withResolvers<void>();
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

  /** Compresses one chunk while the next one fills, to limit memory. */
  async #closeChunk(): Promise<void> {
    const text = this.#takeContent();
    const previous = this.#lastChunkAdded;
    this.#lastChunkAdded = this.#addAfter(previous, text.length < MIN_COMPRESSED_LENGTH ? text : compress(text));
    // The next chunk or the end of the transfer reports an error.
    this.#lastChunkAdded.catch(() => undefined);
    await previous;
  }

  #takeContent(): string {
    const text = chunkContent(this.#put, this.#drop);
    [this.#put, this.#drop, this.#characters] = [[], [], 0];
    return text;
  }

  async #addAfter(previous: Promise<void>, content: string | Promise<Buffer>): Promise<void> {
    const [chunk] = await Promise.all([content, previous]);
    this.#add(chunk);
  }

  #add(chunk: string | Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    this.#notify();
  }

  async finish(digest: string): Promise<this> {
    await this.#lastChunkAdded;
    if (this.#chunks.length === 0 && this.#characters < MAX_SYNC_CHARACTERS) this.#add(this.#takeContent());
    else if (this.#characters > 0) await this.#closeChunk();
    await this.#lastChunkAdded;
    this.#digest = digest;
    this.#notify();
    return this;
  }

  /** The build has failed. A sender that waits for a chunk gets the error. */
  fail(error: Error): void {
    this.#failure = error;
    this.#notify();
  }

  #notify(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  /** Null until all chunks are built. */
  get digest(): string | null {
    return this.#digest;
  }

  get hasFailed(): boolean {
    return this.#failure !== null;
  }

  /** Number of chunks that are built. */
  get chunks(): number {
    return this.#chunks.length;
  }

  /** Memory size of the chunks. */
  get bytes(): number {
    return this.#bytes;
  }

  async whenFinished(): Promise<void> {
    while (this.#digest === null) await this.#whenChanged();
  }

  /**
   * The chunks from `first` to before `end` that can be sent now. Waits until there is at least one. Empty after the last
   * chunk. A chunk can be sent when it is known whether it is the last one.
   */
  async readyChunks(first: number, end: number): Promise<EncodedSnapshotChunk[]> {
    while (this.#digest === null && this.#chunks.length - 1 <= first) await this.#whenChanged();
    const ready = this.#digest === null ? this.#chunks.length - 1 : this.#chunks.length;
    const count = Math.max(0, Math.min(ready, end) - first);
    return Array.from({ length: count }, (_, index) => this.#encode(first + index));
  }

  async #whenChanged(): Promise<void> {
    if (this.#failure === null) await this.#changed.promise;
    if (this.#failure !== null) throw this.#failure;
  }

  #encode(number: number): EncodedSnapshotChunk {
    const { from, to, digestKeyId } = this.range;
    const key = JSON.stringify(digestKeyId);
    const chunks = this.#digest === null ? null : this.chunks;
    const head = `{"v":1,"from":${from},"to":${to},"digest_key_id":${key},"chunk":${number},"chunks":${chunks},`;
    const tail = `,"digest":${JSON.stringify(this.#digest)}}`;
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
