import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { computeFileSha256 } from './compute-file-sha256.ts';

const SECTOR = 512;

/** The only image in a folder, used when the command names none. */
export const requireSingleSdCardImage = (folder: string): string => {
  const images = readdirSync(folder).filter(name => name.endsWith('.img'));
  const [only, ...others] = images;
  if (only === undefined) throw new Error('No .img file in this folder. Name one, or build it with lintel image build');
  if (others.length > 0) throw new Error(`There are several images here, name one: ${images.toSorted().join(', ')}`);
  return join(folder, only);
};

const firstSector = (file: string): Buffer => {
  const sector = Buffer.alloc(SECTOR);
  const handle = openSync(file, 'r');
  try {
    readSync(handle, sector);
  } finally {
    closeSync(handle);
  }
  return sector;
};

/** The checksum in `FILE.sha256`, null without such a file. */
const expectedChecksum = (file: string): string | null => {
  if (!existsSync(`${file}.sha256`)) return null;
  const [sum = ''] = readFileSync(`${file}.sha256`, 'utf8').trim().split(/\s+/);
  if (!/^[0-9a-f]{64}$/.test(sum)) throw new Error(`${file}.sha256 does not contain a SHA-256 checksum`);
  return sum;
};

export interface CheckedSdCardImage {
  readonly file: string;
  readonly size: number;
  readonly sha256: string;
  /** False without a checksum file to compare with. */
  readonly hasChecksum: boolean;
}

/** Finds a damaged download before anything is written to the card. */
export const checkSdCardImage = async (file: string): Promise<CheckedSdCardImage> => {
  const { size } = statSync(file);
  if (size > 0 && firstSector(file).readUInt16LE(SECTOR - 2) !== 0xaa55)
    throw new Error(`${file} is not a disk image: it does not begin with a partition table`);
  if (size === 0 || size % SECTOR !== 0)
    throw new Error(`${file} is incomplete: its size is not a multiple of ${SECTOR} bytes. Download or build it again`);
  const expected = expectedChecksum(file);
  const sha256 = await computeFileSha256(file);
  if (expected !== null && expected !== sha256)
    throw new Error(`${file} is damaged: its SHA-256 checksum differs from ${file}.sha256`);
  return { file, size, sha256, hasChecksum: expected !== null };
};
