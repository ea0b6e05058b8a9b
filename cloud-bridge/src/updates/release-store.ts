import { createWriteStream, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readRelease, type VerifiedRelease } from '@lintel/updates/release-files/read-release';
import { readReleaseKeys } from '@lintel/updates/release-files/release-keys';
import { ReleaseError } from '@lintel/updates/release-files/release-error';
import { piecesOf } from '@lintel/updates/release-files/write-release';
import { ApiError, invalid } from '../http/api-error.ts';

const LARGEST = 512 * 1024 * 1024;
const FORGOTTEN_MS = 86_400_000;

const flushed = async (path: string): Promise<void> => {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const tooLarge = (): ApiError => new ApiError('payload_too_large', `A release has at most ${LARGEST} bytes`);

/** The bytes of releases, each under its digest. Only what a known key has signed comes in. */
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

  #incoming(name: string): string {
    const folder = join(this.#folder, 'incoming');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return join(folder, name);
  }

  async #write(path: string, body: Readable, offset: number): Promise<void> {
    let size = offset;
    const bounded = async function* (pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const piece of pieces) {
        size += piece.length;
        if (size > LARGEST) throw tooLarge();
        yield piece;
      }
    };
    await pipeline(body, bounded, createWriteStream(path, { flags: offset === 0 ? 'w' : 'a', mode: 0o600 }));
  }

  /** A whole archive in one request. */
  async add(body: Readable): Promise<VerifiedRelease> {
    const path = this.#incoming(randomUUID());
    try {
      await this.#write(path, body, 0);
      return await this.#accept(path);
    } finally {
      rmSync(path, { force: true });
    }
  }

  /** A part of an archive. Answers how much of it is there. */
  async addPart(name: string, body: Readable, offset: number): Promise<number> {
    this.#forgetOld();
    const path = this.#incoming(`${name}.part`);
    const have = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (offset !== 0 && offset !== have) {
      body.resume();
      throw invalid('offset', `offset must be ${have}: so much is here`, { received: String(have) });
    }
    await this.#write(path, body, offset);
    return statSync(path).size;
  }

  /** The parts that were sent, as one. */
  async takeParts(name: string): Promise<VerifiedRelease> {
    const path = this.#incoming(`${name}.part`);
    if (!existsSync(path)) throw invalid('upload', 'upload: no part of it has been sent');
    const release = await this.#accept(path);
    rmSync(path, { force: true });
    return release;
  }

  async #accept(path: string): Promise<VerifiedRelease> {
    const release = await this.#verified(path);
    const target = this.fileOf(release.sha256);
    if (!existsSync(target)) {
      await flushed(path);
      renameSync(path, target);
      await flushed(this.#folder);
    }
    return release;
  }

  async #verified(path: string): Promise<VerifiedRelease> {
    try {
      return await readRelease(piecesOf(path), readReleaseKeys(this.#keysFolder));
    } catch (error) {
      if (error instanceof ReleaseError) throw new ApiError('invalid_request', error.message, { reason: error.code });
      throw error;
    }
  }

  /** What somebody has begun to send and never finished. */
  #forgetOld(): void {
    const folder = join(this.#folder, 'incoming');
    for (const name of existsSync(folder) ? readdirSync(folder) : []) {
      const path = join(folder, name);
      const { mtimeMs = Number.NaN } = statSync(path, { throwIfNoEntry: false }) ?? {};
      if (Date.now() - mtimeMs > FORGOTTEN_MS) rmSync(path, { force: true });
    }
  }

  remove(sha256: string): void {
    rmSync(this.fileOf(sha256), { force: true });
  }
}
