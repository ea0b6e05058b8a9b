import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { instant } from '@lintel/access-core/instant';
import { generateReleasePrivateKey, readReleasePublicKeys, createReleaseSigner } from './release-files/release-keys.ts';
import { type ReleaseDefinition, writeRelease } from './release-files/write-release.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type UnpackReleaseDependencies, verifyAndUnpackRelease } from './verify-and-unpack-release.ts';
import { readProgramDescription, ReleasesFolder } from './releases-folder.ts';
import { emptyUpdateSlots } from './update-slot-state.ts';

const signer = createReleaseSigner(generateReleasePrivateKey());

let folder: string;
let files: ReleasesFolder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-install-'));
  writeFileSync(join(folder, 'a.pub'), signer.publicPem);
  files = new ReleasesFolder(join(folder, 'releases'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const archive = async (change: Partial<ReleaseDefinition> = {}): Promise<string> => {
  const file = join(folder, `${readdirSync(folder).length}.release`);
  const plan: ReleaseDefinition = {
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
const deps = (change: Partial<UnpackReleaseDependencies> = {}): UnpackReleaseDependencies => ({
  files,
  keys: readReleasePublicKeys(folder),
  machine: { program: 'controller', arch: 'arm64', version: '1.0.0', floor: '1.0.0' },
  ...change,
});
const folderContents = (): string[] => (existsSync(files.folder) ? readdirSync(files.folder) : []);

describe('verifyAndUnpackRelease', () => {
  it('unpacks the release under its own name, and leaves nothing else behind', async () => {
    const { release, version } = await verifyAndUnpackRelease(await archive(), deps());
    expect([version, release]).toEqual(['1.1.0', expect.stringMatching(/^1\.1\.0-[0-9a-f]{16}$/)]);
    const directory = files.releaseFolder(release);
    expect(readFileSync(join(directory, 'data/large')).equals(Buffer.alloc(2_000_000, 'lintel'))).toBe(true);
    expect(statSync(join(directory, 'bin/start')).mode & 0o111).toBe(0o111);
    expect(statSync(join(directory, 'data/large')).mode & 0o111).toBe(0);
    expect(readProgramDescription(directory)).toEqual({
      program: 'controller',
      version: '1.1.0',
      arch: 'arm64',
      entry: 'bin/start',
    });
    expect(folderContents()).toEqual(['releases']);
  });

  it('makes room by removing releases that are not in use', async () => {
    const first = await verifyAndUnpackRelease(await archive({ version: '1.1.0' }), deps());
    files.write({ ...emptyUpdateSlots, good: first });
    const second = await verifyAndUnpackRelease(await archive({ version: '1.2.0' }), deps());
    const third = await verifyAndUnpackRelease(await archive({ version: '1.3.0' }), deps());
    const there = [first, second, third].map(({ release }) => files.hasRelease(release));
    expect(there).toEqual([true, false, true]);
  });

  it('rejects a release without enough space, and states how much is missing', async () => {
    const freeBytes = async (): Promise<number> => 30 * 2 ** 20;
    const installing = verifyAndUnpackRelease(await archive(), deps({ freeBytes }));
    await expect(installing).rejects.toMatchObject({
      code: 'no_room',
      message: expect.stringContaining('has 30 MB free'),
    });
    expect(folderContents()).toEqual([]);
  });

  it('rejects a release other than the requested one', async () => {
    const expected = { sha256: '0'.repeat(64), version: '1.1.0' };
    await expect(verifyAndUnpackRelease(await archive(), deps(), expected)).rejects.toMatchObject({
      code: 'not_ordered',
    });
    expect(folderContents()).toEqual([]);
  });

  it('rejects a release for another machine before writing anything', async () => {
    const machine = { ...deps().machine, arch: 'amd64' };
    await expect(verifyAndUnpackRelease(await archive(), deps({ machine }))).rejects.toMatchObject({
      code: 'wrong_arch',
    });
    expect(folderContents()).toEqual([]);
  });

  it('rejects a truncated release, and the current one stays', async () => {
    const first = await verifyAndUnpackRelease(await archive(), deps());
    files.write({ ...emptyUpdateSlots, good: first });
    const file = await archive({ version: '1.2.0' });
    writeFileSync(file, readFileSync(file).subarray(0, -1));
    await expect(verifyAndUnpackRelease(file, deps())).rejects.toMatchObject({ code: 'truncated' });
    expect([files.hasRelease(first.release), files.pending()]).toEqual([true, null]);
  });

  it('rejects a release that contains its own release.json', async () => {
    const own = { path: 'release.json', isExecutable: true, read: () => Buffer.from('{}') };
    const file = await archive({ files: [own], entry: 'release.json' });
    await expect(verifyAndUnpackRelease(file, deps())).rejects.toMatchObject({ code: 'damaged' });
  });
});
