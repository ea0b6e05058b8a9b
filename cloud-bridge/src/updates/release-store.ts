import { createWriteStream, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readRelease, type VerifiedRelease } from '@lintel/updates/release-files/read-release';
import { readReleaseKeys } from '@lintel/updates/release-files/release-keys';
import { ReleaseError } from '@lintel/updates/release-files/release-error';
import { openReleaseFile } from '@lintel/updates/release-files/write-release';
import { ApiError, invalidFieldError } from '../http/api-error.ts';

const MAX_BYTES = 512 * 1024 * 1024;
const MAX_UPLOAD_AGE_MS = 86_400_000;

const syncToDisk = async (path: string): Promise<void> => {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const tooLargeError = (): ApiError => new ApiError('payload_too_large', `The release exceeds ${MAX_BYTES} bytes`);

/** Stores release archives by digest. Accepts only releases that are signed with a known key. */
export class ReleaseStore {
  readonly #folder: string;
  readonly #keysFolder: string;

  constructor(dataDir: string, keysFolder = join(dataDir, 'release-keys')) {
    this.#folder = join(dataDir, 'releases');
    this.#keysFolder = keysFolder;
  }

  fileOf(sha256: string): string {
    return join(this.#folder, `${sha256}.release`);
  }

  has(sha256: string): boolean {
    return existsSync(this.fileOf(sha256));
  }

  #uploadPath(name: string): string {
    const folder = join(this.#folder, 'incoming');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return join(folder, name);
  }

  async #write(path: string, body: Readable, offset: number): Promise<void> {
    let size = offset;
    const bounded = async function* (pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const piece of pieces) {
        size += piece.length;
        if (size > MAX_BYTES) throw tooLargeError();
        yield piece;
      }
    };
    await pipeline(body, bounded, createWriteStream(path, { flags: offset === 0 ? 'w' : 'a', mode: 0o600 }));
  }

  /** Adds a complete archive. */
  async add(body: Readable): Promise<VerifiedRelease> {
    const path = this.#uploadPath(randomUUID());
    try {
      await this.#write(path, body, 0);
      return await this.#verifyAndStore(path);
    } finally {
      rmSync(path, { force: true });
    }
  }

  /** Appends to an upload. Returns the size received so far. */
  async addPart(name: string, body: Readable, offset: number): Promise<number> {
    this.#deleteStaleUploads();
    const path = this.#uploadPath(`${name}.part`);
    const received = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (offset !== 0 && offset !== received) {
      body.resume();
      throw invalidFieldError('offset', `offset must be ${received}, the size received so far`, {
        received: String(received),
      });
    }
    await this.#write(path, body, offset);
    return statSync(path).size;
  }

  /** Verifies and stores an upload that was sent in parts. */
  async completeUpload(name: string): Promise<VerifiedRelease> {
    const path = this.#uploadPath(`${name}.part`);
    if (!existsSync(path)) throw invalidFieldError('upload', 'Unknown upload: no part of it was received');
    const release = await this.#verifyAndStore(path);
    rmSync(path, { force: true });
    return release;
  }

  async #verifyAndStore(path: string): Promise<VerifiedRelease> {
    const release = await this.#verify(path);
    const target = this.fileOf(release.sha256);
    if (!existsSync(target)) {
      await syncToDisk(path);
      renameSync(path, target);
      await syncToDisk(this.#folder);
    }
    return release;
  }

  async #verify(path: string): Promise<VerifiedRelease> {
    try {
      return await readRelease(openReleaseFile(path), readReleaseKeys(this.#keysFolder));
    } catch (error) {
      if (error instanceof ReleaseError) throw new ApiError('invalid_request', error.message, { reason: error.code });
      throw error;
    }
  }

  /** Deletes uploads that were never completed. */
  #deleteStaleUploads(): void {
    const folder = join(this.#folder, 'incoming');
    for (const name of existsSync(folder) ? readdirSync(folder) : []) {
      const path = join(folder, name);
      const { mtimeMs = Number.NaN } = statSync(path, { throwIfNoEntry: false }) ?? {};
      if (Date.now() - mtimeMs > MAX_UPLOAD_AGE_MS) rmSync(path, { force: true });
    }
  }

  remove(sha256: string): void {
    rmSync(this.fileOf(sha256), { force: true });
  }
}
