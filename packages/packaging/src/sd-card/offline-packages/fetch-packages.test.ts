import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type FetchBytes, fetchDebianPackages } from './fetch-packages.ts';
import { fetchCardReaderPackages } from './fetch-card-reader-packages.ts';
import { cardReaderPackageNames } from './debian-suites-and-package-names.ts';

const sum = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A small archive: its files by path. */
const archive = (): Map<string, Uint8Array> => {
  const files = new Map<string, Uint8Array>();
  const stanzas = cardReaderPackageNames.bookworm.map(name => {
    const path = `pool/main/p/${name}/${name}_1.0_arm64.deb`;
    const deb = Buffer.from(`package ${name}`);
    files.set(path, deb);
    return `Package: ${name}\nVersion: 1.0\nFilename: ${path}\nSize: ${deb.length}\nSHA256: ${sum(deb)}\n`;
  });
  const index = gzipSync(`Package: other\nFilename: pool/o.deb\n\n${stanzas.join('\n')}`);
  files.set('dists/bookworm/main/binary-arm64/Packages.gz', index);
  const line = ` ${sum(index)} ${index.length} main/binary-arm64/Packages.gz`;
  files.set(
    'dists/bookworm/InRelease',
    Buffer.from(`MD5Sum:\n 00 1 main/binary-arm64/Packages.gz\nSHA256:\n${line}\n`),
  );
  return files;
};

const MIRROR = 'https://deb.debian.org/debian';

const from =
  (files: ReadonlyMap<string, Uint8Array>, asked: string[] = []): FetchBytes =>
  async url => {
    const path = url.slice(MIRROR.length + 1);
    asked.push(path);
    const bytes = files.get(path);
    if (bytes === undefined) throw new Error('it answered 404');
    return bytes;
  };

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'lintel-debs-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
};

const order = (into: string) => ({ suite: 'bookworm' as const, folder: into, mirror: MIRROR });

describe('fetchDebianPackages', () => {
  it('downloads packages under their archive names, once', async () => {
    const into = folder();
    const files = await fetchDebianPackages(order(into), from(archive()));
    expect(files.map(file => basename(file))).toEqual(
      cardReaderPackageNames.bookworm.map(name => `${name}_1.0_arm64.deb`),
    );
    expect(readFileSync(files[0]!, 'utf8')).toBe('package libpcsclite1');
    const asked: string[] = [];
    await fetchDebianPackages(order(into), from(archive(), asked));
    expect(asked.filter(path => path.startsWith('pool'))).toEqual([]);
  });

  it('rejects a package or index that does not match its checksum, and keeps nothing of it', async () => {
    for (const spoiled of ['pool/main/p/pcscd/pcscd_1.0_arm64.deb', 'dists/bookworm/main/binary-arm64/Packages.gz']) {
      const into = folder();
      const files = archive().set(spoiled, Buffer.from('something else'));
      await expect(fetchDebianPackages(order(into), from(files))).rejects.toThrow(
        /is not what the archive's index says/,
      );
      expect(readdirSync(into).filter(name => name.startsWith('pcscd'))).toEqual([]);
    }
  });

  it('rejects a path that leads out of the folder', async () => {
    const files = archive();
    const index = gzipSync(`Package: libpcsclite1\nFilename: pool/../../x.deb\nSize: 1\nSHA256: ${'0'.repeat(64)}\n`);
    files.set('dists/bookworm/main/binary-arm64/Packages.gz', index);
    files.set(
      'dists/bookworm/InRelease',
      Buffer.from(`SHA256:\n ${sum(index)} ${index.length} main/binary-arm64/Packages.gz\n`),
    );
    await expect(fetchDebianPackages(order(folder()), from(files))).rejects.toThrow(/has no libpcsclite1/);
  });

  it('uses the previous packages when offline, and explains when there are none', async () => {
    const cache = folder();
    const offline: FetchBytes = async () => {
      throw new Error('no route');
    };
    expect(await fetchCardReaderPackages('bookworm', cache, offline)).toEqual({
      files: [],
      problem: `${MIRROR}/dists/bookworm/InRelease could not be fetched: no route`,
    });
    await fetchCardReaderPackages('bookworm', cache, from(archive()));
    const { files, problem } = await fetchCardReaderPackages('bookworm', cache, offline);
    expect([files.length, problem]).toEqual([cardReaderPackageNames.bookworm.length, null]);
  });
});
