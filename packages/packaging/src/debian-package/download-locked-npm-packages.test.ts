import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type NpmPackageSource, loadNpmPackageFiles } from './download-locked-npm-packages.ts';
import { requireLockedNpmPackage, readPayloadVersionsOfRepository } from './payload-lock.ts';

const archiveOf = async (files: Readonly<Record<string, string>>): Promise<Buffer> => {
  const archive = pack();
  for (const [path, text] of Object.entries(files)) archive.entry({ name: `package/${path}` }, text);
  archive.finalize();
  return gzipSync(await buffer(archive));
};

const integrity = (bytes: Buffer): string => `sha512-${createHash('sha512').update(bytes).digest('base64')}`;

let folder: string;
let fetched: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-payload-'));
  fetched = 0;
});
afterEach(() => rmSync(folder, { recursive: true }));

const source = (lockedBytes: Buffer, downloaded = lockedBytes): NpmPackageSource => ({
  folder,
  findLockedPayload: name => ({ name, version: '1.0.0', integrity: integrity(lockedBytes) }),
  fetch: async () => {
    fetched++;
    return downloaded;
  },
});

describe('package payload', () => {
  it('downloads a package once and extracts files from it', async () => {
    const from = source(await archiveOf({ a: 'A', b: 'B' }));
    expect((await loadNpmPackageFiles('x', ['b', 'a'], from)).map(String)).toEqual(['B', 'A']);
    expect((await loadNpmPackageFiles('x', ['a'], from)).map(String)).toEqual(['A']);
    expect(fetched).toBe(1);
  });

  it('rejects a package that does not match the lock file, and keeps nothing of it', async () => {
    const from = source(await archiveOf({ a: 'A' }), await archiveOf({ a: 'evil' }));
    await expect(loadNpmPackageFiles('x', ['a'], from)).rejects.toThrow('x 1.0.0 does not match payload-lock.json');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('downloads a damaged cached package again', async () => {
    const from = source(await archiveOf({ a: 'A' }));
    writeFileSync(join(folder, 'x-1.0.0.tgz'), 'half of i');
    expect((await loadNpmPackageFiles('x', ['a'], from)).map(String)).toEqual(['A']);
    expect(fetched).toBe(1);
  });

  it('names a file that is missing in the package', async () => {
    await expect(loadNpmPackageFiles('x', ['c'], source(await archiveOf({ a: 'A' })))).rejects.toThrow(
      'x 1.0.0 has no c',
    );
  });

  it('matches the versions of the project (lintel image package --refresh-lock)', () => {
    for (const { name, version } of readPayloadVersionsOfRepository())
      expect(requireLockedNpmPackage(name)).toMatchObject({ name, version });
  });
});
