import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { CheckedImage } from './image-file.ts';

const CHUNK = 4 << 20;

export interface Progress {
  readonly step: 'writing' | 'verifying';
  readonly done: number;
  readonly total: number;
}

export interface WriteParts {
  /** Empties what the system remembers of the disk, so that it is really read. */
  readonly forget: (target: string) => Promise<void>;
  readonly onProgress: (progress: Progress) => void;
}

const inWords = (error: unknown, target: string): Error => {
  const { code, message } = error as NodeJS.ErrnoException;
  const why: Readonly<Record<string, string>> = {
    EBUSY: `${target} is in use by another program`,
    EACCES: `${target} may not be written by you: call it again with sudo`,
    EPERM: `${target} may not be written by you: call it again with sudo`,
    EROFS: `${target} is write protected`,
    ENOSPC: `${target} is full before the end of the image`,
    EIO: `${target} fails: the card or its reader is broken`,
    ENXIO: `${target} has gone: was the card taken out?`,
    ENOMEDIUM: `there is no card in ${target}`,
  };
  return new Error(why[code ?? ''] ?? `${target}: ${message}`, { cause: error });
};

const copy = async (from: FileHandle, to: FileHandle, image: CheckedImage, parts: WriteParts): Promise<void> => {
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (let done = 0; done < image.size; ) {
    const { bytesRead } = await from.read(buffer, 0, Math.min(CHUNK, image.size - done), done);
    if (bytesRead === 0) throw new Error(`${image.file} became shorter while it was read`);
    for (let at = 0; at < bytesRead; ) at += (await to.write(buffer, at, bytesRead - at, done + at)).bytesWritten;
    done += bytesRead;
    // Now and then, or the whole image waits in memory and the progress is a lie.
    if (done % (16 * CHUNK) === 0) await to.datasync();
    parts.onProgress({ step: 'writing', done, total: image.size });
  }
  await to.sync();
};

const sumOf = async (target: FileHandle, size: number, parts: WriteParts): Promise<string> => {
  const buffer = Buffer.allocUnsafe(CHUNK);
  const hash = createHash('sha256');
  for (let done = 0; done < size; ) {
    const { bytesRead } = await target.read(buffer, 0, Math.min(CHUNK, size - done), done);
    if (bytesRead === 0) break;
    hash.update(buffer.subarray(0, bytesRead));
    done += bytesRead;
    parts.onProgress({ step: 'verifying', done, total: size });
  }
  return hash.digest('hex');
};

/** Writes, then reads back and compares. Throws in words. */
export const writeImage = async (image: CheckedImage, target: string, parts: WriteParts): Promise<void> => {
  const from = await open(image.file, 'r');
  try {
    // O_EXCL on a disk: refused by the kernel while anything of it is mounted.
    const to = await open(target, constants.O_WRONLY | constants.O_EXCL);
    try {
      await copy(from, to, image, parts);
    } finally {
      await to.close();
    }
    await parts.forget(target);
    const written = await open(target, 'r');
    try {
      if ((await sumOf(written, image.size, parts)) !== image.sha256)
        throw new Error(`${target} does not hold what was written: the card is broken or not as large as it says`);
    } finally {
      await written.close();
    }
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === undefined ? error : inWords(error, target);
  } finally {
    await from.close();
  }
};
