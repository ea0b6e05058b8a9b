import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { BackupError } from './backup-error.ts';
import type { ArchivedFile } from './archive-manifest.ts';

/** Disk space that an archive leaves free for the bridge that runs on the same disk. */
const RESERVED_BYTES = 64 * 2 ** 20;

/** Free bytes on the disk of the folder. */
export type ReadFreeBytes = (folder: string) => number;

const readFreeBytes: ReadFreeBytes = folder => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20)} MB`;

/** Throws a BackupError unless the folder has room for the files. */
export const requireFreeSpace = (
  folder: string,
  files: readonly ArchivedFile[],
  freeBytes: ReadFreeBytes = readFreeBytes,
): void => {
  const needed = files.reduce((sum, { size }) => sum + size, 0);
  const free = freeBytes(folder);
  if (free >= needed + RESERVED_BYTES) return;
  const space = `${megabytes(needed)}, and ${megabytes(RESERVED_BYTES)} must stay free`;
  throw new BackupError(`The disk of ${dirname(folder)} has ${megabytes(free)} free. The file unpacks to ${space}.`);
};
