import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Backoff } from '@lintel/service/timing/backoff';
import { download, DownloadError, type Wanted } from './release-files/download.ts';
import { ReleaseError } from './release-files/release-error.ts';
import type { Log } from '@lintel/service/log';
import { requireRoom } from './install-release.ts';
import type { SlotFiles } from './slot-files.ts';

export interface FetchParts {
  readonly files: SlotFiles;
  readonly log: Log;
  readonly onPercent: (percent: number) => void;
  readonly signal: AbortSignal;
  readonly sha256: string;
  readonly size: number;
  /** Asked before every attempt: the way to the bridge may have changed. Null: there is none now. */
  readonly source: () => Omit<Wanted, 'offset' | 'size'> | null;
}

const RETRY = { firstMs: 1000, longestMs: 300_000 };
/** The bridge says that it does not have it for us. It may be another bridge that does. */
const MOST_REFUSALS = 5;
const GONE = new Set([401, 403, 404, 410]);

const sizeOf = async (path: string): Promise<number> => {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
};

const onlyThis = async (folder: string, name: string): Promise<void> => {
  for (const other of await readdir(folder)) if (other !== name) await rm(join(folder, other), { force: true });
};

const append = async (path: string, { size, onPercent }: FetchParts, wanted: Wanted): Promise<void> => {
  const file = await open(path, 'a', 0o600);
  let have = wanted.offset;
  try {
    for await (const piece of download(wanted)) {
      await file.write(piece);
      have += piece.length;
      onPercent(Math.floor((have / size) * 100));
    }
    await file.sync();
  } finally {
    await file.close();
  }
};

/** The archive, whole. Goes on where it stopped, after a broken line as after a restart. */
export const fetchRelease = async (parts: FetchParts): Promise<string> => {
  const { files, log, sha256, size, signal, source } = parts;
  const name = `${sha256}.part`;
  const path = join(files.incoming, name);
  await onlyThis(files.incoming, name);
  const backoff = new Backoff(RETRY, Math.random);
  let refusals = 0;
  for (;;) {
    const offset = await sizeOf(path);
    if (offset === size) return path;
    if (offset > size) await rm(path);
    else await requireRoom({ files }, size - offset);
    const way = source();
    try {
      if (way !== null) await append(path, parts, { ...way, offset: Math.min(offset, size), size });
      if ((await sizeOf(path)) > offset) backoff.reset();
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ReleaseError) throw error;
      const isGone = error instanceof DownloadError && GONE.has(error.status);
      refusals = isGone ? refusals + 1 : 0;
      if (refusals >= MOST_REFUSALS)
        throw new ReleaseError('not_ordered', `the bridge does not offer the release: ${(error as Error).message}`);
      log('warn', 'the release is not here yet', { why: (error as Error).message, have: offset, of: size });
    }
    if ((await sizeOf(path)) < size) await sleep(backoff.next(), undefined, { signal });
  }
};
