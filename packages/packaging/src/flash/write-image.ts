import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { CheckedSdCardImage } from './check-image-file.ts';

const CHUNK = 4 << 20;

export interface SdCardWriteProgress {
  readonly step: 'writing' | 'verifying';
  readonly done: number;
  readonly total: number;
}

interface WriteOptions {
  /** Drops the disk from the page cache, so that verifying reads the disk itself. */
  readonly dropCache: (target: string) => Promise<void>;
  readonly onProgress: (progress: SdCardWriteProgress) => void;
}

const explain = (error: unknown, target: string): Error => {
  const { code, message } = error as NodeJS.ErrnoException;
  const explanations: Readonly<Record<string, string>> = {
    EBUSY: `${target} is in use by another program`,
    EACCES: `Writing ${target} is not permitted. Run the command with sudo`,
    EPERM: `Writing ${target} is not permitted. Run the command with sudo`,
    EROFS: `${target} is write protected`,
    ENOSPC: `${target} is full before the end of the image`,
    EIO: `${target} fails: the card or its reader is broken`,
    ENXIO: `${target} has disappeared: was the card taken out?`,
    ENOMEDIUM: `No card in ${target}. Insert one and try again`,
  };
  return new Error(explanations[code ?? ''] ?? `${target}: ${message}`, { cause: error });
};

const chunksOf = (file: string, size: number): AsyncIterable<Buffer> =>
  createReadStream(file, { end: size - 1, highWaterMark: CHUNK });

const copy = async (
  { file, size }: CheckedSdCardImage,
  to: FileHandle,
  { onProgress }: WriteOptions,
): Promise<void> => {
  let done = 0;
  for await (const chunk of chunksOf(file, size)) {
    for (let at = 0; at < chunk.length; ) at += (await to.write(chunk, at, chunk.length - at, done + at)).bytesWritten;
    done += chunk.length;
    // Otherwise the image waits in memory and the progress is ahead of the card.
    if (done % (16 * CHUNK) === 0) await to.datasync();
    onProgress({ step: 'writing', done, total: size });
  }
  await to.sync();
};

const verify = async (
  target: string,
  { size, sha256 }: CheckedSdCardImage,
  { onProgress }: WriteOptions,
): Promise<void> => {
  const hash = createHash('sha256');
  let done = 0;
  for await (const chunk of chunksOf(target, size)) {
    hash.update(chunk);
    done += chunk.length;
    onProgress({ step: 'verifying', done, total: size });
  }
  if (hash.digest('hex') !== sha256)
    throw new Error(`${target} does not hold what was written: the card is broken or smaller than it claims`);
};

/** Writes the image, reads it back and compares. */
export const writeSdCardImage = async (
  image: CheckedSdCardImage,
  target: string,
  options: WriteOptions,
): Promise<void> => {
  try {
    // With O_EXCL the kernel refuses a disk that is mounted.
    const to = await open(target, constants.O_WRONLY | constants.O_EXCL);
    try {
      await copy(image, to, options);
    } finally {
      await to.close();
    }
    await options.dropCache(target);
    await verify(target, image, options);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === undefined ? error : explain(error, target);
  }
};
