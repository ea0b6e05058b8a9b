import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Backoff } from '@lintel/service/timing/backoff';
import {
  streamReleaseDownload,
  ReleaseDownloadStatusError,
  type ReleaseDownloadRequest,
} from './release-files/stream-release-download.ts';
import { ReleaseError } from './release-files/release-error.ts';
import type { Log } from '@lintel/service/log-function-type';
import { requireFreeSpaceForRelease } from './verify-and-unpack-release.ts';
import type { ReleasesFolder } from './releases-folder.ts';

export interface FetchReleaseOptions {
  readonly files: ReleasesFolder;
  readonly log: Log;
  readonly onPercent: (percent: number) => void;
  readonly signal: AbortSignal;
  readonly sha256: string;
  readonly size: number;
  /** Read before each attempt, because the address of the bridge may change. Null while there is none. */
  readonly source: () => Omit<ReleaseDownloadRequest, 'offset' | 'size'> | null;
}

const RETRY = { firstMs: 1000, longestMs: 300_000 };
/** Rejections in a row after which the download fails. A single one may come from another bridge. */
const MAX_REJECTIONS = 5;
const REJECTION_STATUS = new Set([401, 403, 404, 410]);

const sizeOf = async (path: string): Promise<number> => {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
};

const removeOthers = async (folder: string, name: string): Promise<void> => {
  for (const other of await readdir(folder)) if (other !== name) await rm(join(folder, other), { force: true });
};

const append = async (
  path: string,
  { size, onPercent }: FetchReleaseOptions,
  request: ReleaseDownloadRequest,
): Promise<void> => {
  const file = await open(path, 'a', 0o600);
  let received = request.offset;
  try {
    for await (const chunk of streamReleaseDownload(request)) {
      await file.write(chunk);
      received += chunk.length;
      onPercent(Math.floor((received / size) * 100));
    }
    await file.sync();
  } finally {
    await file.close();
  }
};

/** Returns the path of the complete archive. Resumes a partial download after an interruption or a restart. */
export const fetchRelease = async (options: FetchReleaseOptions): Promise<string> => {
  const { files, log, sha256, size, signal, source } = options;
  const name = `${sha256}.part`;
  const path = join(files.incoming, name);
  await removeOthers(files.incoming, name);
  const backoff = new Backoff(RETRY, Math.random);
  let rejections = 0;
  for (;;) {
    const offset = await sizeOf(path);
    if (offset === size) return path;
    if (offset > size) await rm(path);
    else await requireFreeSpaceForRelease({ files }, size - offset);
    const request = source();
    try {
      if (request !== null) await append(path, options, { ...request, offset: Math.min(offset, size), size });
      if ((await sizeOf(path)) > offset) backoff.reset();
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ReleaseError) throw error;
      const isRejected = error instanceof ReleaseDownloadStatusError && REJECTION_STATUS.has(error.status);
      rejections = isRejected ? rejections + 1 : 0;
      if (rejections >= MAX_REJECTIONS)
        throw new ReleaseError('not_ordered', `The bridge does not offer the release: ${(error as Error).message}`);
      log('warn', 'The download of the release was interrupted and will be resumed', {
        why: (error as Error).message,
        have: offset,
        of: size,
      });
    }
    if ((await sizeOf(path)) < size) await sleep(backoff.next(), undefined, { signal });
  }
};
