import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Storage } from '../storage/open-storage.ts';

const CHUNK_BYTES = 1024 * 1024;

/** Copies files to the database and back, so that every bridge can read a file that another one has received. */
export class SharedReleaseFiles {
  readonly #storage: Storage;
  readonly #clock: () => number;

  constructor(storage: Storage, clock: () => number) {
    this.#storage = storage;
    this.#clock = clock;
  }

  /** Stores the bytes of the file from the offset on. An offset of 0 replaces what was stored. */
  async write(name: string, path: string, offset = 0): Promise<void> {
    if (offset === 0) await this.delete(name);
    let position = offset;
    for await (const bytes of createReadStream(path, { start: offset, highWaterMark: CHUNK_BYTES })) {
      const chunk = bytes as Buffer;
      await this.#storage.writer
        .insertInto('shared_file_chunks')
        .values({ name, position, bytes: chunk, created_at: this.#clock() })
        .onConflict(conflict => conflict.doNothing())
        .execute();
      position += chunk.length;
    }
  }

  /** Writes the stored file to the path. Returns its size; 0 if it is not stored. */
  async restore(name: string, path: string): Promise<number> {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const draft = `${path}.${randomUUID()}`;
    try {
      await pipeline(this.#read(name), createWriteStream(draft, { mode: 0o600, flush: true }));
      const { size } = statSync(draft);
      if (size > 0) renameSync(draft, path);
      return size;
    } finally {
      rmSync(draft, { force: true });
    }
  }

  async *#read(name: string): AsyncGenerator<Buffer> {
    for (let position = 0; ; ) {
      const row = await this.#storage.reader
        .selectFrom('shared_file_chunks')
        .select('bytes')
        .where('name', '=', name)
        .where('position', '=', position)
        .executeTakeFirst();
      if (row === undefined) return;
      yield row.bytes;
      position += row.bytes.length;
    }
  }

  /** Whether the file is stored up to this size. */
  async hasSize(name: string, size: number): Promise<boolean> {
    const last = await this.#storage.reader
      .selectFrom('shared_file_chunks')
      .select(['position', 'bytes'])
      .where('name', '=', name)
      .orderBy('position', 'desc')
      .limit(1)
      .executeTakeFirst();
    return last !== undefined && last.position + last.bytes.length === size;
  }

  async delete(name: string): Promise<void> {
    await this.#storage.writer.deleteFrom('shared_file_chunks').where('name', '=', name).execute();
  }

  async deleteOld(ending: string, createdBefore: number): Promise<void> {
    await this.#storage.writer
      .deleteFrom('shared_file_chunks')
      .where('name', 'like', `%${ending}`)
      .where('created_at', '<', createdBefore)
      .execute();
  }
}
