import { createHash } from 'node:crypto';
import { type FileHandle, open, rename, stat } from 'node:fs/promises';
import { masterBootRecord, type Partition, SECTOR } from './partition-table.ts';

const CHUNK = 4 << 20;
const ZEROS = Buffer.alloc(CHUNK);

/** Holes stay holes: an image that was just made takes no more room than what is in it. */
const place = async (image: FileHandle, file: string, at: number): Promise<void> => {
  const from = await open(file, 'r');
  try {
    const buffer = Buffer.allocUnsafe(CHUNK);
    for (let done = 0; ; ) {
      const { bytesRead } = await from.read(buffer, 0, CHUNK, done);
      if (bytesRead === 0) return;
      const bytes = buffer.subarray(0, bytesRead);
      if (!bytes.equals(ZEROS.subarray(0, bytesRead))) await image.write(bytes, 0, bytesRead, at + done);
      done += bytesRead;
    }
  } finally {
    await from.close();
  }
};

const sumOf = async (image: FileHandle, size: number): Promise<string> => {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (let done = 0; done < size; ) {
    const { bytesRead } = await image.read(buffer, 0, CHUNK, done);
    hash.update(buffer.subarray(0, bytesRead));
    done += bytesRead;
  }
  return hash.digest('hex');
};

export interface PlacedPartition extends Partition {
  readonly file: string;
}

/** Puts the partitions into one file, which appears under its name when it is whole. Answers its SHA-256 sum. */
export const composeImage = async (
  out: string,
  signature: number,
  partitions: readonly PlacedPartition[],
  totalBytes: number,
): Promise<string> => {
  const partial = `${out}.partial`;
  // A claim code or the key of the page may be inside.
  const image = await open(partial, 'w+', 0o600);
  try {
    await image.truncate(totalBytes);
    await image.write(masterBootRecord(signature, partitions), 0, SECTOR, 0);
    for (const { file, start, sectors } of partitions) {
      if ((await stat(file)).size > sectors * SECTOR) throw new Error(`${file} is larger than its partition`);
      await place(image, file, start * SECTOR);
    }
    await image.sync();
    const sum = await sumOf(image, totalBytes);
    await rename(partial, out);
    return sum;
  } finally {
    await image.close();
  }
};
