import { createWriteStream, existsSync, mkdirSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ApiError, createInvalidParameterError } from '../http/api-error.ts';

const MEBIBYTE = 1024 * 1024;

export interface ReleaseUploadLimits {
  /** Bytes of one release. */
  readonly releaseBytes: number;
  /** Bytes of all unfinished uploads of one organization, and of one uploader in all organizations. */
  readonly bytes: number;
  /** Number of unfinished uploads of one organization, and of one uploader in all organizations. */
  readonly uploads: number;
  /** Bytes of all unfinished uploads of the bridge. */
  readonly bridgeBytes: number;
  readonly lifetimeMs: number;
}

/** Unfinished uploads of the bridge take this part of the free space at most, and leave the reserve. */
const SHARE_OF_FREE_SPACE = 0.25;
const RESERVED_SHARE_OF_DISK = 0.05;
const MOST_RESERVED_BYTES = 512 * MEBIBYTE;

export const defaultReleaseUploadLimits: ReleaseUploadLimits = {
  releaseBytes: 512 * MEBIBYTE,
  bytes: 1024 * MEBIBYTE,
  uploads: 4,
  bridgeBytes: 8192 * MEBIBYTE,
  lifetimeMs: 86_400_000,
};

interface Upload {
  /** The user or application; null for those from before a restart. */
  readonly uploader: string | null;
  readonly size: number;
  readonly changedAt: number;
}

export interface DiskSpace {
  readonly free: number;
  readonly size: number;
}

const readDiskSpace = (folder: string): DiskSpace => {
  const { bavail, blocks, bsize } = statfsSync(folder);
  return { free: bavail * bsize, size: blocks * bsize };
};

/** Names the file of an upload. Ids of organizations contain no `-`. */
const fileNameOf = (organizationId: string, name: string): string => `${organizationId}-${name}`;

const sumSizes = (uploads: ReadonlyArray<readonly [string, Upload]>): number =>
  uploads.reduce((total, [, { size }]) => total + size, 0);

export interface ReleaseUploader {
  readonly organizationId: string;
  /** The user or application. */
  readonly uploader: string;
}

/**
 * Files whose signature is not verified yet. Anyone who may upload could fill the disk with them, so each organization,
 * each uploader and the bridge have a quota, and unfinished uploads expire.
 */
export class IncomingReleaseUploads {
  readonly #folder: string;
  readonly #limits: ReleaseUploadLimits;
  readonly #clock: () => number;
  readonly #readSpace: (folder: string) => DiskSpace;
  readonly #uploads = new Map<string, Upload>();
  readonly #writing = new Set<string>();

  constructor(folder: string, limits: ReleaseUploadLimits, clock: () => number, readSpace = readDiskSpace) {
    this.#folder = folder;
    this.#limits = limits;
    this.#clock = clock;
    this.#readSpace = readSpace;
    for (const name of existsSync(folder) ? readdirSync(folder) : []) {
      const { size, mtimeMs } = statSync(join(folder, name));
      this.#uploads.set(name, { uploader: null, size, changedAt: mtimeMs });
    }
  }

  pathOf(organizationId: string, name: string): string {
    return join(this.#folder, fileNameOf(organizationId, name));
  }

  has(organizationId: string, name: string): boolean {
    return this.#uploads.has(fileNameOf(organizationId, name));
  }

  /** Bytes received so far. */
  sizeOf(organizationId: string, name: string): number {
    return this.#uploads.get(fileNameOf(organizationId, name))?.size ?? 0;
  }

  /** Call when something else has written the file. */
  refresh(organizationId: string, name: string): void {
    const size = statSync(this.pathOf(organizationId, name), { throwIfNoEntry: false })?.size;
    const file = fileNameOf(organizationId, name);
    const uploader = this.#uploads.get(file)?.uploader ?? null;
    if (size !== undefined) this.#uploads.set(file, { uploader, size, changedAt: this.#clock() });
  }

  /** Writes at the offset: 0 starts over, otherwise it must be the size received so far. Returns the new size. */
  async write(
    { organizationId, uploader }: ReleaseUploader,
    name: string,
    body: Readable,
    offset: number,
  ): Promise<number> {
    const file = fileNameOf(organizationId, name);
    try {
      this.#requireWritable(organizationId, uploader, file, offset);
    } catch (error) {
      body.resume();
      throw error;
    }
    let size = offset;
    const count = (piece: Buffer): Buffer => {
      size += piece.length;
      this.#uploads.set(file, { uploader, size, changedAt: this.#clock() });
      this.#requireWithinQuota(organizationId, uploader, size);
      return piece;
    };
    const counted = async function* (pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const piece of pieces) yield count(piece);
    };
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const path = join(this.#folder, file);
    this.#writing.add(file);
    this.#uploads.set(file, { uploader, size, changedAt: this.#clock() });
    try {
      await pipeline(body, counted, createWriteStream(path, { flags: offset === 0 ? 'w' : 'a', mode: 0o600 }));
    } finally {
      this.#writing.delete(file);
      const written = statSync(path, { throwIfNoEntry: false })?.size;
      if (written === undefined) this.#uploads.delete(file);
      else this.#uploads.set(file, { uploader, size: written, changedAt: this.#clock() });
    }
    return size;
  }

  /** Call when the upload is complete or rejected; the file may already have been moved. */
  remove(organizationId: string, name: string): void {
    this.#remove(fileNameOf(organizationId, name));
  }

  deleteExpired(): void {
    const expiredBefore = this.#clock() - this.#limits.lifetimeMs;
    for (const [file, { changedAt }] of this.#uploads) {
      if (changedAt < expiredBefore && !this.#writing.has(file)) this.#remove(file);
    }
  }

  #remove(file: string): void {
    rmSync(join(this.#folder, file), { force: true });
    this.#uploads.delete(file);
  }

  get #remedy(): string {
    return `Complete them, or wait: they are deleted after ${this.#limits.lifetimeMs / 3_600_000} hours without a part`;
  }

  #requireWritable(organizationId: string, uploader: string, file: string, offset: number): void {
    this.deleteExpired();
    if (this.#writing.has(file))
      throw new ApiError('invalid_request', 'Another request is writing to this upload. Wait until it ends');
    const received = this.#uploads.get(file)?.size ?? 0;
    if (offset !== 0 && offset !== received) {
      const args = { received: String(received) };
      throw createInvalidParameterError('offset', `must be ${received}, the size received so far`, args);
    }
    const { uploads, lifetimeMs } = this.#limits;
    const owners = [
      ['The organization has', this.#uploadsOf(organizationId)] as const,
      ['You have', this.#uploadsBy(uploader)] as const,
    ];
    const [owner, others = []] =
      owners
        .map(([who, all]) => [who, all.filter(([name]) => name !== file)] as const)
        .find(([, all]) => all.length >= uploads) ?? [];
    if (owner === undefined) return;
    const oldest = Math.min(...others.map(([, { changedAt }]) => changedAt));
    const retryAfter = Math.max(1, Math.ceil((oldest + lifetimeMs - this.#clock()) / 1000));
    const message = `${owner} ${others.length} unfinished uploads. ${this.#remedy}`;
    throw new ApiError('rate_limited', message, {}, { 'retry-after': String(retryAfter) });
  }

  #requireWithinQuota(organizationId: string, uploader: string, size: number): void {
    const { releaseBytes, bytes } = this.#limits;
    if (size > releaseBytes) throw new ApiError('payload_too_large', `The release exceeds ${releaseBytes} bytes`);
    for (const uploads of [this.#uploadsOf(organizationId), this.#uploadsBy(uploader)]) {
      if (sumSizes(uploads) <= bytes) continue;
      const message = `The unfinished uploads of the organization or of you exceed ${bytes} bytes. ${this.#remedy}`;
      throw new ApiError('payload_too_large', message);
    }
    this.#requireSpace();
  }

  #requireSpace(): void {
    const total = sumSizes([...this.#uploads]);
    const { free, size } = this.#readSpace(this.#folder);
    const permitted = Math.min(this.#limits.bridgeBytes, (free + total) * SHARE_OF_FREE_SPACE);
    if (total <= permitted && free >= Math.min(MOST_RESERVED_BYTES, size * RESERVED_SHARE_OF_DISK)) return;
    const message = 'The bridge has no more space for unfinished uploads. Try again later, or inform the operator';
    throw new ApiError('insufficient_storage', message);
  }

  #uploadsBy(uploader: string): Array<[string, Upload]> {
    return [...this.#uploads].filter(([, upload]) => upload.uploader === uploader);
  }

  #uploadsOf(organizationId: string): Array<[string, Upload]> {
    return [...this.#uploads].filter(([file]) => file.startsWith(`${organizationId}-`));
  }
}
