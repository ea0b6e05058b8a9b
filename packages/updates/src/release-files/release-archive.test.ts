import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { instant } from '@lintel/access-core/instant';
import { gunzipSync } from 'node:zlib';
import { encodeReleaseSigningBytes } from '@lintel/wire-protocol/updates/release-manifest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRelease } from './read-release.ts';
import { generateReleasePrivateKey, readReleasePublicKeys, createReleaseSigner } from './release-keys.ts';
import { ReleaseError } from './release-error.ts';
import { signReleaseCopy } from './sign-release-copy.ts';
import { TAR_BLOCK_BYTES, countTarPaddingBytes, readTarHeader, createTarEnd, createTarHeader } from './tar-header.ts';
import { openReleaseFile, type ReleaseDefinition, writeRelease } from './write-release.ts';

const signer = createReleaseSigner(generateReleasePrivateKey());
const other = createReleaseSigner(generateReleasePrivateKey());
const long = `deep/${'folder/'.repeat(20)}${'n'.repeat(40)}.js`;

const plan = (change: Partial<ReleaseDefinition> = {}): ReleaseDefinition => ({
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

const keys = () => readReleasePublicKeys(folder);
const refusal = async (file: string, known = keys()): Promise<string> => {
  try {
    await readRelease(openReleaseFile(file), known);
    return 'taken';
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error;
    expect(error.message.length).toBeGreaterThan(20);
    return error.code;
  }
};
const changed = (change: (bytes: Buffer) => Buffer): string => {
  const file = join(folder, 'changed.release');
  writeFileSync(file, change(readFileSync(archive)));
  return file;
};

describe('release archive', () => {
  it('has the same bytes for the same files, and is read back unchanged', async () => {
    const again = join(folder, 'b.release');
    await writeRelease(plan(), signer, again);
    expect(readFileSync(again).equals(readFileSync(archive))).toBe(true);
    const out = new Map<string, string>();
    const read = await readRelease(openReleaseFile(archive), keys(), {
      onFile: async ({ path }, stored) => {
        const chunks: Buffer[] = [];
        for await (const chunk of stored) chunks.push(chunk);
        out.set(path, gunzipSync(Buffer.concat(chunks)).toString());
      },
    });
    expect(Object.fromEntries(out)).toEqual({ start: '#!/bin/sh\n', 'program/a.js': 'x'.repeat(100_000), [long]: '' });
    expect(read.sha256).toBe(createHash('sha256').update(readFileSync(archive)).digest('hex'));
    expect(read.size).toBe(readFileSync(archive).length);
  });

  it('is rejected with any single byte changed', async () => {
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
        // A tar header has unused bytes; the contents of the files are never affected by them.
        const entry = readTarHeader(
          readFileSync(archive).subarray(at - (at % TAR_BLOCK_BYTES), at - (at % TAR_BLOCK_BYTES) + TAR_BLOCK_BYTES),
        );
        expect([at, entry === null && readFileSync(archive)[at] !== 0]).toEqual([at, false]);
      }
      verdicts.add(verdict);
    }
    expect([...verdicts]).toEqual(expect.arrayContaining(['damaged', 'bad_signature', 'not_a_release']));
  });

  it('is rejected when truncated at any length', async () => {
    const { length } = readFileSync(archive);
    for (let size = 0; size < length; size += 211) {
      const verdict = await refusal(changed(bytes => bytes.subarray(0, size)));
      expect([size, verdict]).toEqual([size, size === 0 ? 'not_a_release' : 'truncated']);
    }
  });

  it('of another signer has an unknown key, until that key is installed', async () => {
    const theirs = join(folder, 'theirs.release');
    await writeRelease(plan(), other, theirs);
    expect(await refusal(theirs)).toBe('unknown_key');
    writeFileSync(join(folder, 'b.pub'), other.publicPem);
    expect([await refusal(theirs), await refusal(archive)]).toEqual(['taken', 'taken']);
  });

  it('signed by one key under the name of another is rejected', async () => {
    const forged = join(folder, 'forged.release');
    await writeRelease(plan(), { ...other, keyId: signer.keyId }, forged);
    expect(await refusal(forged)).toBe('bad_signature');
  });

  it('can be signed again with another key, but not when it is damaged', async () => {
    writeFileSync(join(folder, 'b.pub'), other.publicPem);
    const moved = join(folder, 'moved.release');
    await signReleaseCopy(archive, other, moved);
    expect((await readRelease(openReleaseFile(moved), keys())).keyId).toBe(other.keyId);
    const broken = changed(bytes => {
      bytes[bytes.length - 3 * TAR_BLOCK_BYTES - 5]! ^= 1;
      return bytes;
    });
    await expect(signReleaseCopy(broken, other, join(folder, 'no.release'))).rejects.toThrow(
      /not what was signed|damaged/,
    );
  });

  it('with trailing data, or a file that is not in the manifest, is rejected', async () => {
    const extra = Buffer.concat([createTarHeader({ name: 'files/extra', size: 0 }), createTarEnd()]);
    expect(await refusal(changed(bytes => Buffer.concat([bytes, Buffer.from('x')])))).toBe('damaged');
    expect(await refusal(changed(bytes => Buffer.concat([bytes.subarray(0, -2 * TAR_BLOCK_BYTES), extra])))).toBe(
      'damaged',
    );
  });

  it('with a manifest path outside its folder is rejected although it is signed', async () => {
    const files = [{ path: '../../etc/passwd', isExecutable: true, read: () => Buffer.from('root') }];
    await expect(writeRelease(plan({ files, entry: '../../etc/passwd' }), signer, join(folder, 'x'))).rejects.toThrow(
      /path/,
    );
    // The attacker has the key and another program to make releases with.
    const manifest = (await readRelease(openReleaseFile(archive), keys())).manifest;
    const [first] = manifest.files;
    const hostile = Buffer.from(
      JSON.stringify({ ...manifest, files: [{ ...first, path: '../start' }], entry: '../start' }),
    );
    const signature = Buffer.from(signer.sign(encodeReleaseSigningBytes(hostile))).toString('base64url');
    const signed = Buffer.from(JSON.stringify({ v: 1, key_id: signer.keyId, signature }));
    const entry = (name: string, bytes: Buffer): Buffer[] => [
      createTarHeader({ name, size: bytes.length }),
      bytes,
      Buffer.alloc(countTarPaddingBytes(bytes.length)),
    ];
    const tar = Buffer.concat([...entry('manifest.json', hostile), ...entry('manifest.sig', signed), createTarEnd()]);
    expect(await refusal(changed(() => tar))).toBe('unsafe_path');
  });

  it.each(['', 'hello', 'x'.repeat(5000)])('is not recognized: %j', async text => {
    expect(await refusal(changed(() => Buffer.from(text)))).toMatch(/not_a_release|truncated/);
  });

  it('names an invalid key file', async () => {
    writeFileSync(join(folder, 'broken.pub'), 'hello');
    expect(keys().problems).toEqual([expect.stringMatching(/broken\.pub is not an Ed25519 public key/)]);
    expect(await refusal(archive)).toBe('taken');
    expect(await refusal(archive, readReleasePublicKeys(join(folder, 'nowhere')))).toBe('unknown_key');
  });
});
