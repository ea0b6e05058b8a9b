import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { assembleSdCardImage } from './assemble-image.ts';
import { listMissingToolPackages, buildHostToolPath } from './image-build-host-tools.ts';

const MIB = 2 ** 20;

let folder: string;
beforeEach(context => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-assemble-'));
  const isMissing = listMissingToolPackages().includes('fdisk');
  if (isMissing && process.env['CI'] !== 'true') context.skip('sfdisk is missing (Debian package fdisk)');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const partition = (name: string, bytes: number, type: string) => {
  const file = join(folder, name);
  writeFileSync(file, Buffer.alloc(bytes, name));
  return { file, type };
};

const parts = () => ({
  signature: '90613706',
  partitions: [partition('boot', 512, 'c'), partition('root', 4 * MIB + 512, '83'), partition('data', MIB, '83')],
  sizeBytes: null,
});

describe('assembleSdCardImage', () => {
  it('aligns partitions to 4 MiB behind a master boot record with the signature', async () => {
    const out = join(folder, 'door.img');
    const { bytes } = await assembleSdCardImage(out, parts());
    expect([bytes, statSync(out).size, statSync(out).mode & 0o777]).toEqual([20 * MIB, 20 * MIB, 0o600]);
    const env = { ...process.env, PATH: buildHostToolPath() };
    const table = execFileSync('sfdisk', ['--json', out], { env, encoding: 'utf8' });
    expect(JSON.parse(table)).toMatchObject({
      partitiontable: {
        label: 'dos',
        id: '0x90613706',
        partitions: [
          { start: 8192, size: 1, type: 'c', bootable: true },
          { start: 16_384, size: 8193, type: '83' },
          { start: 32_768, size: 2048, type: '83' },
        ],
      },
    });
    const image = readFileSync(out);
    expect(image.toString('latin1', 8 * MIB, 8 * MIB + 4)).toBe('root');
    expect(image.readUInt32LE(440)).toBe(0x90613706);
  });

  it('gives the same bytes again, and replaces what an interrupted build has left', async () => {
    const out = join(folder, 'door.img');
    const { sha256 } = await assembleSdCardImage(out, parts());
    writeFileSync(`${out}.partial`, 'left by an interrupted build');
    expect((await assembleSdCardImage(out, parts())).sha256).toBe(sha256);
  });

  it('fills up to a given size and rejects one that is too small', async () => {
    const out = join(folder, 'door.img');
    expect((await assembleSdCardImage(out, { ...parts(), sizeBytes: 32 * MIB })).bytes).toBe(32 * MIB);
    await expect(assembleSdCardImage(out, { ...parts(), sizeBytes: MIB })).rejects.toThrow('the image needs 20 MiB');
  });
});
