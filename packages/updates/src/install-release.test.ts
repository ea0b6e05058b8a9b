import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { instant } from '@lintel/access-core/instant';
import { newReleaseKey, readReleaseKeys, signerOf } from './release-files/release-keys.ts';
import { type ReleasePlan, writeRelease } from './release-files/write-release.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type InstallParts, installRelease } from './install-release.ts';
import { programIn, SlotFiles } from './slot-files.ts';
import { emptySlots } from './slot-machine.ts';

const signer = signerOf(newReleaseKey());

let folder: string;
let files: SlotFiles;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-install-'));
  writeFileSync(join(folder, 'a.pub'), signer.publicPem);
  files = new SlotFiles(join(folder, 'releases'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const archive = async (change: Partial<ReleasePlan> = {}): Promise<string> => {
  const file = join(folder, `${readdirSync(folder).length}.release`);
  const plan: ReleasePlan = {
    program: 'controller',
    version: '1.1.0',
    arch: 'arm64',
    entry: 'bin/start',
    minimum_version: null,
    allow_downgrade: false,
    createdAt: instant(0),
    files: [
      { path: 'bin/start', isExecutable: true, read: () => Buffer.from('#!/bin/sh\n') },
      { path: 'data/large', isExecutable: false, read: () => Buffer.alloc(2_000_000, 'lintel') },
    ],
    ...change,
  };
  await writeRelease(plan, signer, file);
  return file;
};
const parts = (change: Partial<InstallParts> = {}): InstallParts => ({
  files,
  keys: readReleaseKeys(folder),
  machine: { program: 'controller', arch: 'arm64', version: '1.0.0', floor: '1.0.0' },
  ...change,
});
const unpacked = (): string[] => (existsSync(files.folder) ? readdirSync(files.folder) : []);

describe('installRelease', () => {
  it('unpacks the release under its own name, and leaves nothing else behind', async () => {
    const { release, version } = await installRelease(await archive(), parts());
    expect([version, release]).toEqual(['1.1.0', expect.stringMatching(/^1\.1\.0-[0-9a-f]{16}$/)]);
    const place = files.releaseFolder(release);
    expect(readFileSync(join(place, 'data/large')).equals(Buffer.alloc(2_000_000, 'lintel'))).toBe(true);
    expect(statSync(join(place, 'bin/start')).mode & 0o111).toBe(0o111);
    expect(statSync(join(place, 'data/large')).mode & 0o111).toBe(0);
    expect(programIn(place)).toEqual({ program: 'controller', version: '1.1.0', arch: 'arm64', entry: 'bin/start' });
    expect(unpacked()).toEqual(['releases']);
  });

  it('makes room by removing releases that are not in use', async () => {
    const first = await installRelease(await archive({ version: '1.1.0' }), parts());
    files.write({ ...emptySlots, good: first });
    const second = await installRelease(await archive({ version: '1.2.0' }), parts());
    const third = await installRelease(await archive({ version: '1.3.0' }), parts());
    const there = [first, second, third].map(({ release }) => files.isThere(release));
    expect(there).toEqual([true, false, true]);
  });

  it('rejects a release without enough space, and states how much is missing', async () => {
    const freeBytes = async (): Promise<number> => 30 * 2 ** 20;
    const refused = installRelease(await archive(), parts({ freeBytes }));
    await expect(refused).rejects.toMatchObject({
      code: 'no_room',
      message: expect.stringContaining('30 MB are free'),
    });
    expect(unpacked()).toEqual([]);
  });

  it('rejects a release other than the requested one', async () => {
    const expected = { sha256: '0'.repeat(64), version: '1.1.0' };
    await expect(installRelease(await archive(), parts(), expected)).rejects.toMatchObject({ code: 'not_ordered' });
    expect(unpacked()).toEqual([]);
  });

  it('rejects a release for another machine before writing anything', async () => {
    const machine = { ...parts().machine, arch: 'amd64' };
    await expect(installRelease(await archive(), parts({ machine }))).rejects.toMatchObject({ code: 'wrong_arch' });
    expect(unpacked()).toEqual([]);
  });

  it('rejects a truncated release, and the current one stays', async () => {
    const first = await installRelease(await archive(), parts());
    files.write({ ...emptySlots, good: first });
    const file = await archive({ version: '1.2.0' });
    writeFileSync(file, readFileSync(file).subarray(0, -1));
    await expect(installRelease(file, parts())).rejects.toMatchObject({ code: 'truncated' });
    expect([files.isThere(first.release), files.pending()]).toEqual([true, null]);
  });

  it('rejects a release that contains its own release.json', async () => {
    const own = { path: 'release.json', isExecutable: true, read: () => Buffer.from('{}') };
    const file = await archive({ files: [own], entry: 'release.json' });
    await expect(installRelease(file, parts())).rejects.toMatchObject({ code: 'damaged' });
  });
});
