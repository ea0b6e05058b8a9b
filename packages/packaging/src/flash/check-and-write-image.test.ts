import { createHash } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkSdCardImage, requireSingleSdCardImage } from './check-image-file.ts';
import { type SdCardWriteProgress, writeSdCardImage } from './write-image.ts';

let folder: string;
let image: string;
let target: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-flash-'));
  [image, target] = [join(folder, 'door.img'), join(folder, 'card')];
  const bytes = Buffer.alloc(9 << 20, 'door');
  bytes.writeUInt16LE(0xaa55, 510);
  writeFileSync(image, bytes);
  writeFileSync(target, Buffer.alloc(12 << 20, 'old'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const sumOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const write = async (dropCache: () => Promise<void> = async () => undefined): Promise<SdCardWriteProgress[]> => {
  const seen: SdCardWriteProgress[] = [];
  await writeSdCardImage(await checkSdCardImage(image), target, {
    dropCache,
    onProgress: progress => seen.push(progress),
  });
  return seen;
};

describe('writeSdCardImage', () => {
  it('writes every byte, leaves the rest of the disk untouched, and reports progress', async () => {
    const seen = await write();
    const [written, original] = [readFileSync(target), readFileSync(image)];
    expect(written.subarray(0, original.length).equals(original)).toBe(true);
    expect(written.subarray(original.length).equals(Buffer.alloc(12 << 20, 'old').subarray(original.length))).toBe(
      true,
    );
    expect(seen.map(({ step }) => step)).toEqual([
      'writing',
      'writing',
      'writing',
      'verifying',
      'verifying',
      'verifying',
    ]);
    expect(seen.filter(({ done, total }) => done === total)).toHaveLength(2);
  });

  it('detects a single byte that the card did not keep', async () => {
    const spoil = async (): Promise<void> => {
      const file = openSync(target, 'r+');
      writeSync(file, 'x', 5 << 20);
      closeSync(file);
    };
    await expect(write(spoil)).rejects.toThrow('does not hold what was written');
  });

  it('detects a card that is smaller than it claims', async () => {
    const cut = async (): Promise<void> => writeFileSync(target, readFileSync(image).subarray(0, 4 << 20));
    await expect(write(cut)).rejects.toThrow('does not hold what was written');
  });

  it('explains why a disk cannot be opened', async () => {
    rmSync(target);
    await expect(write()).rejects.toThrow(target);
    const full = { ...(await checkSdCardImage(image)) };
    const parts = { dropCache: async () => undefined, onProgress: () => undefined };
    await expect(writeSdCardImage(full, '/dev/full', parts)).rejects.toThrow(
      '/dev/full is full before the end of the image',
    );
  });

  it('verifies the checksum beside an image before writing anything', async () => {
    const sum = sumOf(readFileSync(image));
    expect(await checkSdCardImage(image)).toEqual({ file: image, size: 9 << 20, sha256: sum, hasChecksum: false });
    writeFileSync(`${image}.sha256`, `${sum}  door.img\n`);
    expect((await checkSdCardImage(image)).hasChecksum).toBe(true);
    writeFileSync(`${image}.sha256`, `${sum.replace(/^./, digit => (digit === '0' ? '1' : '0'))}  door.img\n`);
    await expect(checkSdCardImage(image)).rejects.toThrow('is damaged');
    writeFileSync(`${image}.sha256`, 'nothing\n');
    await expect(checkSdCardImage(image)).rejects.toThrow('does not contain a SHA-256 checksum');
  });

  it('rejects a file that is not a disk image', async () => {
    writeFileSync(image, 'short');
    await expect(checkSdCardImage(image)).rejects.toThrow('does not begin with a partition table');
    writeFileSync(image, '');
    await expect(checkSdCardImage(image)).rejects.toThrow('is incomplete');
    const bytes = Buffer.alloc(1000);
    bytes.writeUInt16LE(0xaa55, 510);
    writeFileSync(image, bytes);
    await expect(checkSdCardImage(image)).rejects.toThrow('is incomplete');
  });

  it('uses the only image of a folder, and asks when there are several', () => {
    expect(requireSingleSdCardImage(folder)).toBe(image);
    writeFileSync(join(folder, 'gate.img'), '');
    expect(() => requireSingleSdCardImage(folder)).toThrow('name one: door.img, gate.img');
    rmSync(image);
    rmSync(join(folder, 'gate.img'));
    expect(() => requireSingleSdCardImage(folder)).toThrow('No .img file in this folder');
  });
});
