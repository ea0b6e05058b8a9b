import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';

const SECTOR = 512;
const CHUNK = 4 << 20;

/** The only image of a folder, for who did not name one. Throws in words. */
export const onlyImageIn = (folder: string): string => {
  const images = readdirSync(folder).filter(name => name.endsWith('.img'));
  const [only, ...others] = images;
  if (only === undefined) throw new Error('there is no .img file here: name one, or make it with lintel image build');
  if (others.length > 0) throw new Error(`there are several images here, name one: ${images.toSorted().join(', ')}`);
  return join(folder, only);
};

/** What `FILE.sha256` says; null when there is no such file. */
const promisedSum = (file: string): string | null => {
  const beside = `${file}.sha256`;
  if (!existsSync(beside)) return null;
  const [sum] = readFileSync(beside, 'utf8').trim().split(/\s+/);
  if (sum === undefined || !/^[0-9a-f]{64}$/.test(sum)) throw new Error(`${beside} holds no SHA-256 sum`);
  return sum;
};

export interface CheckedImage {
  readonly file: string;
  readonly size: number;
  readonly sha256: string;
  /** False where nothing was there to compare with. */
  readonly isPromised: boolean;
}

/** Reads the whole file once: a damaged download is found before the card is touched. */
export const checkImage = async (file: string): Promise<CheckedImage> => {
  const handle = await open(file, 'r');
  try {
    const hash = createHash('sha256');
    const buffer = Buffer.allocUnsafe(CHUNK);
    let size = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, CHUNK, size);
      if (bytesRead === 0) break;
      const bytes = buffer.subarray(0, bytesRead);
      if (size === 0 && (bytesRead < SECTOR || bytes.readUInt16LE(SECTOR - 2) !== 0xaa55))
        throw new Error(`${file} is no disk image: it does not begin with a partition table`);
      hash.update(bytes);
      size += bytesRead;
    }
    if (size === 0 || size % SECTOR !== 0) throw new Error(`${file} is cut off: its size is no multiple of ${SECTOR}`);
    const sha256 = hash.digest('hex');
    const promised = promisedSum(file);
    if (promised !== null && promised !== sha256)
      throw new Error(`${file} is damaged: its SHA-256 sum is not that of ${file}.sha256`);
    return { file, size, sha256, isPromised: promised !== null };
  } finally {
    await handle.close();
  }
};
