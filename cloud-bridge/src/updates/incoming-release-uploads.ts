import { createWriteStream, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ApiError, createInvalidFieldError } from '../http/api-error.ts';

export interface ReleaseUploadLimits {
  /** Bytes of one release. */
  readonly releaseBytes: number;
  /** Bytes of all unfinished uploads of one organization. */
  readonly bytes: number;
  /** Number of unfinished uploads of one organization. */
  readonly uploads: number;
  readonly lifetimeMs: number;
}

const MEBIBYTE = 1024 * 1024;

export const defaultReleaseUploadLimits: ReleaseUploadLimits = {
  releaseBytes: 512 * MEBIBYTE,
  bytes: 1024 * MEBIBYTE,
  uploads: 4,
  lifetimeMs: 86_400_000,
};

interface Upload {
  readonly size: number;
  readonly changedAt: number;
}

/** Names the file of an upload. Ids of organizations contain no `-`. */
const fileNameOf = (organizationId: string, name: string): string => `${organizationId}-${name}`;

/**
 * Files whose signature is not verified yet. Anyone who may upload could fill the disk with them, so each organization
 * has a quota, and unfinished uploads expire.
 */
export class IncomingReleaseUploads {
  readonly #folder: string;
  readonly #limits: ReleaseUploadLimits;
  readonly #clock: () => number;
  readonly #uploads = new Map<string, Upload>();
  readonly #writing = new Set<string>();

  constructor(folder: string, limits: ReleaseUploadLimits, clock: () => number) {
    this.#folder = folder;
    this.#limits = limits;
    this.#clock = clock;
    for (const name of existsSync(folder) ? readdirSync(folder) : []) {
      const { size, mtimeMs } = statSync(join(folder, name));
      this.#uploads.set(name, { size, changedAt: mtimeMs });
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
    if (size !== undefined) this.#uploads.set(fileNameOf(organizationId, name), { size, changedAt: this.#clock() });
  }

  /** Writes at the offset: 0 starts over, otherwise it must be the size received so far. Returns the new size. */
  async write(organizationId: string, name: string, body: Readable, offset: number): Promise<number> {
    const file = fileNameOf(organizationId, name);
    try {
      this.#requireWritable(organizationId, file, offset);
    } catch (error) {
      body.resume();
      throw error;
    }
    let size = offset;
    const count = (piece: Buffer): Buffer => {
      size += piece.length;
      this.#uploads.set(file, { size, changedAt: this.#clock() });
      this.#requireWithinQuota(organizationId, size);
      return piece;
    };
    const counted = async function* (pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const piece of pieces) yield count(piece);
    };
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const path = join(this.#folder, file);
    this.#writing.add(file);
    this.#uploads.set(file, { size, changedAt: this.#clock() });
    try {
      await pipeline(body, counted, createWriteStream(path, { flags: offset === 0 ? 'w' : 'a', mode: 0o600 }));
    } finally {
      this.#writing.delete(file);
      const written = statSync(path, { throwIfNoEntry: false })?.size;
      if (written === undefined) this.#uploads.delete(file);
      else this.#uploads.set(file, { size: written, changedAt: this.#clock() });
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

  #requireWritable(organizationId: string, file: string, offset: number): void {
    this.deleteExpired();
    if (this.#writing.has(file))
      throw new ApiError('invalid_request', 'Another request is writing to this upload. Wait until it ends');
    const received = this.#uploads.get(file)?.size ?? 0;
    if (offset !== 0 && offset !== received) {
      const args = { received: String(received) };
      throw createInvalidFieldError('offset', `offset must be ${received}, the size received so far`, args);
    }
    const { uploads, lifetimeMs } = this.#limits;
    const others = this.#uploadsOf(organizationId).filter(([name]) => name !== file);
    if (others.length < uploads) return;
    const oldest = Math.min(...others.map(([, { changedAt }]) => changedAt));
    const retryAfter = Math.max(1, Math.ceil((oldest + lifetimeMs - this.#clock()) / 1000));
    const message = `The organization has ${others.length} unfinished uploads. ${this.#remedy}`;
    throw new ApiError('rate_limited', message, {}, { 'retry-after': String(retryAfter) });
  }

  #requireWithinQuota(organizationId: string, size: number): void {
    const { releaseBytes, bytes } = this.#limits;
    if (size > releaseBytes) throw new ApiError('payload_too_large', `The release exceeds ${releaseBytes} bytes`);
    if (this.#uploadsOf(organizationId).reduce((total, [, upload]) => total + upload.size, 0) <= bytes) return;
    const message = `The unfinished uploads of the organization exceed ${bytes} bytes. ${this.#remedy}`;
    throw new ApiError('payload_too_large', message);
  }

  #uploadsOf(organizationId: string): Array<[string, Upload]> {
    return [...this.#uploads].filter(([file]) => file.startsWith(`${organizationId}-`));
  }
}
