import { existsSync, renameSync, rmSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { readRelease, type VerifiedRelease } from '@lintel/updates/release-files/read-release';
import { readReleaseKeys } from '@lintel/updates/release-files/release-keys';
import { ReleaseError } from '@lintel/updates/release-files/release-error';
import { streamReleaseArchive } from '@lintel/updates/release-files/write-release';
import { ApiError, invalidFieldError } from '../http/api-error.ts';
import { defaultUploadLimits, IncomingUploads, type UploadLimits } from './incoming-uploads.ts';

const syncToDisk = async (path: string): Promise<void> => {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

export interface ReleaseStoreOptions {
  readonly limits?: UploadLimits;
  readonly clock?: () => number;
}

/** Stores release archives by digest. Accepts only releases that are signed with a known key. */
export class ReleaseStore {
  readonly #folder: string;
  readonly #keysFolder: string;
  readonly #uploads: IncomingUploads;

  constructor(
    dataDir: string,
    keysFolder = join(dataDir, 'release-keys'),
    { limits = defaultUploadLimits, clock = Date.now }: ReleaseStoreOptions = {},
  ) {
    this.#folder = join(dataDir, 'releases');
    this.#keysFolder = keysFolder;
    this.#uploads = new IncomingUploads(join(this.#folder, 'incoming'), limits, clock);
  }

  fileOf(sha256: string): string {
    return join(this.#folder, `${sha256}.release`);
  }

  has(sha256: string): boolean {
    return existsSync(this.fileOf(sha256));
  }

  /** Adds a complete archive. */
  async add(organizationId: string, body: Readable): Promise<VerifiedRelease> {
    const name = randomUUID();
    try {
      await this.#uploads.write(organizationId, name, body, 0);
      return await this.#verifyAndStore(this.#uploads.pathOf(organizationId, name));
    } finally {
      this.#uploads.remove(organizationId, name);
    }
  }

  /** Appends to an upload. Returns the size received so far. */
  addPart(organizationId: string, sha256: string, body: Readable, offset: number): Promise<number> {
    return this.#uploads.write(organizationId, `${sha256}.part`, body, offset);
  }

  /** Verifies and stores an upload that was sent in parts. A rejected upload is deleted and must be started over. */
  async completeUpload(organizationId: string, sha256: string): Promise<VerifiedRelease> {
    const name = `${sha256}.part`;
    if (!this.#uploads.has(organizationId, name))
      throw invalidFieldError('upload', 'Unknown upload: no part of it was received');
    try {
      return await this.#verifyAndStore(this.#uploads.pathOf(organizationId, name));
    } finally {
      this.#uploads.remove(organizationId, name);
    }
  }

  deleteExpiredUploads(): void {
    this.#uploads.deleteExpired();
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
      return await readRelease(streamReleaseArchive(path), readReleaseKeys(this.#keysFolder));
    } catch (error) {
      if (error instanceof ReleaseError) throw new ApiError('invalid_request', error.message, { reason: error.code });
      throw error;
    }
  }

  remove(sha256: string): void {
    rmSync(this.fileOf(sha256), { force: true });
  }
}
