import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { instant } from '@lintel/access-core/instant';
import { gunzipSync } from 'node:zlib';
import { releaseSigningBytes } from '@lintel/wire-protocol/updates/release-manifest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRelease } from './read-release.ts';
import { newReleaseKey, readReleaseKeys, signerOf } from './release-keys.ts';
import { ReleaseRefused } from './release-refused.ts';
import { signRelease } from './sign-release.ts';
import { BLOCK, paddingOf, readTarHeader, tarEnd, tarHeader } from './tar-header.ts';
import { piecesOf, type ReleasePlan, writeRelease } from './write-release.ts';

const signer = signerOf(newReleaseKey());
const other = signerOf(newReleaseKey());
const long = `deep/${'folder/'.repeat(20)}${'n'.repeat(40)}.js`;

const plan = (change: Partial<ReleasePlan> = {}): ReleasePlan => ({
  program: 'controller',
  version: '1.5.0',
  arch: 'all',
  entry: 'start',
  minimum_version: null,
  allow_downgrade: false,
  createdAt: instant(Date.parse('2026-06-01T10:00:00Z')),
  files: [
    { path: 'start', isExecutable: true, read: () => Buffer.from('#!/bin/sh\n') },
    { path: 'program/a.js', isExecutable: false, read: () => Buffer.from('x'.repeat(100_000)) },
    { path: long, isExecutable: false, read: () => Buffer.from('') },
  ],
  ...change,
});

let folder: string;
let archive: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-release-'));
  writeFileSync(join(folder, 'a.pub'), signer.publicPem);
  archive = join(folder, 'a.release');
  await writeRelease(plan(), signer, archive);
});
afterEach(() => rmSync(folder, { recursive: true }));

const keys = () => readReleaseKeys(folder);
const refusal = async (file: string, known = keys()): Promise<string> => {
  try {
    await readRelease(piecesOf(file), known);
    return 'taken';
  } catch (error) {
    if (!(error instanceof ReleaseRefused)) throw error;
    expect(error.message.length).toBeGreaterThan(20);
    return error.code;
  }
};
const changed = (change: (bytes: Buffer) => Buffer): string => {
  const file = join(folder, 'changed.release');
  writeFileSync(file, change(readFileSync(archive)));
  return file;
};

describe('a release archive', () => {
  it('is the same bytes from the same files, and what was put in comes out', async () => {
    const again = join(folder, 'b.release');
    await writeRelease(plan(), signer, again);
    expect(readFileSync(again).equals(readFileSync(archive))).toBe(true);
    const out = new Map<string, string>();
    const read = await readRelease(piecesOf(archive), keys(), {
      take: async ({ path }, stored) => {
        const pieces: Buffer[] = [];
        for await (const piece of stored) pieces.push(piece);
        out.set(path, gunzipSync(Buffer.concat(pieces)).toString());
      },
    });
    expect(Object.fromEntries(out)).toEqual({ start: '#!/bin/sh\n', 'program/a.js': 'x'.repeat(100_000), [long]: '' });
    expect(read.sha256).toBe(createHash('sha256').update(readFileSync(archive)).digest('hex'));
    expect(read.size).toBe(readFileSync(archive).length);
  });

  it('with any one byte changed is refused, wherever that byte is', async () => {
    const { length } = readFileSync(archive);
    const verdicts = new Set<string>();
    for (let at = 0; at < length; at += 37) {
      const verdict = await refusal(
        changed(bytes => {
          bytes[at]! ^= 0x55;
          return bytes;
        }),
      );
      if (verdict === 'taken') {
        // A header of the tar has room that stands for nothing; what is in the files is never touched by it.
        const entry = readTarHeader(readFileSync(archive).subarray(at - (at % BLOCK), at - (at % BLOCK) + BLOCK));
        expect([at, entry === null && readFileSync(archive)[at] !== 0]).toEqual([at, false]);
      }
      verdicts.add(verdict);
    }
    expect([...verdicts]).toEqual(expect.arrayContaining(['damaged', 'bad_signature', 'not_a_release']));
  });

  it('that ends early is told apart at every length', async () => {
    const { length } = readFileSync(archive);
    for (let size = 0; size < length; size += 211) {
      const verdict = await refusal(changed(bytes => bytes.subarray(0, size)));
      expect([size, verdict]).toEqual([size, size === 0 ? 'not_a_release' : 'truncated']);
    }
  });

  it('of another signer is of an unknown key, until that key is there too', async () => {
    const theirs = join(folder, 'theirs.release');
    await writeRelease(plan(), other, theirs);
    expect(await refusal(theirs)).toBe('unknown_key');
    writeFileSync(join(folder, 'b.pub'), other.publicPem);
    expect([await refusal(theirs), await refusal(archive)]).toEqual(['taken', 'taken']);
  });

  it('signed by one key under the name of another is refused', async () => {
    const forged = join(folder, 'forged.release');
    await writeRelease(plan(), { ...other, keyId: signer.keyId }, forged);
    expect(await refusal(forged)).toBe('bad_signature');
  });

  it('is signed anew for another key, and a damaged one is not', async () => {
    writeFileSync(join(folder, 'b.pub'), other.publicPem);
    const moved = join(folder, 'moved.release');
    await signRelease(archive, other, moved);
    expect((await readRelease(piecesOf(moved), keys())).keyId).toBe(other.keyId);
    const broken = changed(bytes => {
      bytes[bytes.length - 3 * BLOCK - 5]! ^= 1;
      return bytes;
    });
    await expect(signRelease(broken, other, join(folder, 'no.release'))).rejects.toThrow(/not what was signed|damaged/);
  });

  it('with something behind its end, or with a file that is not in the manifest, is refused', async () => {
    const extra = Buffer.concat([tarHeader({ name: 'files/extra', size: 0 }), tarEnd()]);
    expect(await refusal(changed(bytes => Buffer.concat([bytes, Buffer.from('x')])))).toBe('damaged');
    expect(await refusal(changed(bytes => Buffer.concat([bytes.subarray(0, -2 * BLOCK), extra])))).toBe('damaged');
  });

  it('whose manifest leads out of its folder is refused though it is signed', async () => {
    const files = [{ path: '../../etc/passwd', isExecutable: true, read: () => Buffer.from('root') }];
    await expect(writeRelease(plan({ files, entry: '../../etc/passwd' }), signer, join(folder, 'x'))).rejects.toThrow(
      /path/,
    );
    // Somebody who has the key and another program to make releases with.
    const manifest = (await readRelease(piecesOf(archive), keys())).manifest;
    const [first] = manifest.files;
    const hostile = Buffer.from(
      JSON.stringify({ ...manifest, files: [{ ...first, path: '../start' }], entry: '../start' }),
    );
    const signature = Buffer.from(signer.sign(releaseSigningBytes(hostile))).toString('base64url');
    const signed = Buffer.from(JSON.stringify({ v: 1, key_id: signer.keyId, signature }));
    const entry = (name: string, bytes: Buffer): Buffer[] => [
      tarHeader({ name, size: bytes.length }),
      bytes,
      Buffer.alloc(paddingOf(bytes.length)),
    ];
    const tar = Buffer.concat([...entry('manifest.json', hostile), ...entry('manifest.sig', signed), tarEnd()]);
    expect(await refusal(changed(() => tar))).toBe('unsafe_path');
  });

  it.each(['', 'hello', 'x'.repeat(5000)])('%j is no release', async text => {
    expect(await refusal(changed(() => Buffer.from(text)))).toMatch(/not_a_release|truncated/);
  });

  it('names the key file that is none', async () => {
    writeFileSync(join(folder, 'broken.pub'), 'hello');
    expect(keys().problems).toEqual([expect.stringMatching(/broken\.pub is no public key/)]);
    expect(await refusal(archive)).toBe('taken');
    expect(await refusal(archive, readReleaseKeys(join(folder, 'nowhere')))).toBe('unknown_key');
  });
});
