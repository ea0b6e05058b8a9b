import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { readRelease, type VerifiedRelease } from '@lintel/updates/release-files/read-release';
import { readReleasePublicKeys } from '@lintel/updates/release-files/release-keys';
import { ReleaseError } from '@lintel/updates/release-files/release-error';
import { openReleaseFile } from '@lintel/updates/release-files/write-release';
import { ApiError, createInvalidFieldError } from '../http/api-error.ts';
import {
  defaultReleaseUploadLimits,
  IncomingReleaseUploads,
  type ReleaseUploader,
  type ReleaseUploadLimits,
} from './incoming-release-uploads.ts';
import type { SharedReleaseFiles } from './shared-release-files.ts';

const syncToDisk = async (path: string): Promise<void> => {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

export interface ReleaseStoreOptions {
  readonly limits?: ReleaseUploadLimits;
  readonly clock?: () => number;
  /** The copies for other bridges. Default: this bridge is the only one. */
  readonly shared?: SharedReleaseFiles | null;
}

const sharedNameOf = (sha256: string): string => `${sha256}.release`;
const PART = '.part';

/** Stores release archives by digest. Accepts only releases that are signed with a known key. */
export class ReleaseStore {
  readonly #folder: string;
  readonly #keysFolder: string;
  readonly #uploads: IncomingReleaseUploads;
  readonly #limits: ReleaseUploadLimits;
  readonly #clock: () => number;
  readonly #shared: SharedReleaseFiles | null;

  constructor(
    dataDir: string,
    keysFolder = join(dataDir, 'release-keys'),
    { limits = defaultReleaseUploadLimits, clock = Date.now, shared = null }: ReleaseStoreOptions = {},
  ) {
    this.#folder = join(dataDir, 'releases');
    this.#keysFolder = keysFolder;
    this.#limits = limits;
    this.#clock = clock;
    this.#shared = shared;
    this.#uploads = new IncomingReleaseUploads(join(this.#folder, 'incoming'), limits, clock);
  }

  fileOf(sha256: string): string {
    return join(this.#folder, `${sha256}.release`);
  }

  /** Whether `fileOf` exists. Copies it from the database if another bridge has received it. */
  async has(sha256: string): Promise<boolean> {
    const file = this.fileOf(sha256);
    if (existsSync(file)) return true;
    return this.#shared !== null && (await this.#shared.restore(sharedNameOf(sha256), file)) > 0;
  }

  /** Gives the releases of a bridge that ran alone before to the others. */
  async shareStoredReleases(): Promise<void> {
    if (this.#shared === null || !existsSync(this.#folder)) return;
    for (const name of readdirSync(this.#folder).filter(file => file.endsWith('.release'))) {
      const file = join(this.#folder, name);
      if (!(await this.#shared.hasSize(name, statSync(file).size))) await this.#shared.write(name, file);
    }
  }

  /** Adds a complete archive. */
  async add(uploader: ReleaseUploader, body: Readable): Promise<VerifiedRelease> {
    const { organizationId } = uploader;
    const name = randomUUID();
    try {
      await this.#uploads.write(uploader, name, body, 0);
      return await this.#verifyAndStore(this.#uploads.pathOf(organizationId, name));
    } finally {
      this.#uploads.remove(organizationId, name);
    }
  }

  /** Appends to an upload. Returns the size received so far. */
  async addPart(uploader: ReleaseUploader, sha256: string, body: Readable, offset: number): Promise<number> {
    const { organizationId } = uploader;
    const name = `${sha256}${PART}`;
    if (offset > 0) await this.#continueUpload(organizationId, name, offset);
    const received = await this.#uploads.write(uploader, name, body, offset);
    await this.#shared?.write(`${organizationId}-${name}`, this.#uploads.pathOf(organizationId, name), offset);
    return received;
  }

  /** Copies the parts that other bridges have received. */
  async #continueUpload(organizationId: string, name: string, offset: number | null): Promise<void> {
    if (this.#shared === null || (offset !== null && this.#uploads.sizeOf(organizationId, name) === offset)) return;
    await this.#shared.restore(`${organizationId}-${name}`, this.#uploads.pathOf(organizationId, name));
    this.#uploads.refresh(organizationId, name);
  }

  /** Verifies and stores an upload that was sent in parts. A rejected upload is deleted and must be started over. */
  async completeUpload(organizationId: string, sha256: string): Promise<VerifiedRelease> {
    const name = `${sha256}${PART}`;
    await this.#continueUpload(organizationId, name, null);
    if (!this.#uploads.has(organizationId, name))
      throw createInvalidFieldError('upload', 'refers to an upload of which no part was received');
    try {
      return await this.#verifyAndStore(this.#uploads.pathOf(organizationId, name));
    } finally {
      this.#uploads.remove(organizationId, name);
      await this.#shared?.delete(`${organizationId}-${name}`);
    }
  }

  async deleteExpiredUploads(): Promise<void> {
    this.#uploads.deleteExpired();
    await this.#shared?.deleteOld(PART, this.#clock() - this.#limits.lifetimeMs);
  }

  async #verifyAndStore(path: string): Promise<VerifiedRelease> {
    const release = await this.#verify(path);
    const target = this.fileOf(release.sha256);
    if (this.#shared !== null && !(await this.#shared.hasSize(sharedNameOf(release.sha256), release.size)))
      await this.#shared.write(sharedNameOf(release.sha256), path);
    if (!existsSync(target)) {
      await syncToDisk(path);
      renameSync(path, target);
      await syncToDisk(this.#folder);
    }
    return release;
  }

  async #verify(path: string): Promise<VerifiedRelease> {
    try {
      return await readRelease(openReleaseFile(path), readReleasePublicKeys(this.#keysFolder));
    } catch (error) {
      if (error instanceof ReleaseError) throw new ApiError('invalid_request', error.message, { reason: error.code });
      throw error;
    }
  }

  async remove(sha256: string): Promise<void> {
    rmSync(this.fileOf(sha256), { force: true });
    await this.#shared?.delete(sharedNameOf(sha256));
  }
}
