import { Readable } from 'node:stream';
import { zstdDecompressSync } from 'node:zlib';
import { extract, type Header } from 'tar-stream';
import { describe, expect, it, afterEach, beforeEach } from 'vitest';
import { createDebArchive } from './deb-archive.ts';
import { type DebianPackageTree, createDebianPackageTextEntry } from './package-tree.ts';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureOutputFolder } from './output-folder.ts';

const epoch = 1_767_225_600;
const tree: DebianPackageTree = [
  createDebianPackageTextEntry('usr/lib/x/b', 'bee'),
  { path: 'usr/bin/x', target: '../lib/x/a' },
  createDebianPackageTextEntry('usr/lib/x/a', '#!/bin/sh\n', 0o755),
];

const membersOf = (bytes: Buffer): Map<string, Buffer> => {
  const members = new Map<string, Buffer>();
  for (let at = 8; at < bytes.length; ) {
    const header = bytes.toString('latin1', at, at + 60);
    const size = Number(header.slice(48, 58));
    members.set(header.slice(0, 16).trim(), bytes.subarray(at + 60, at + 60 + size));
    at += 60 + size + (size % 2);
  }
  return members;
};

const headersIn = async (tar: Buffer): Promise<Header[]> => {
  const headers: Header[] = [];
  for await (const entry of Readable.from([tar]).pipe(extract())) {
    headers.push(entry.header);
    entry.resume();
  }
  return headers;
};

describe('Debian archive', () => {
  it('has the three members of a Debian package in order', async () => {
    const bytes = await createDebArchive([createDebianPackageTextEntry('control', 'Package: x\n')], tree, epoch);
    expect(bytes.toString('latin1', 0, 8)).toBe('!<arch>\n');
    const members = membersOf(bytes);
    expect([...members.keys()]).toEqual(['debian-binary', 'control.tar.zst', 'data.tar.zst']);
    expect(String(members.get('debian-binary'))).toBe('2.0\n');
  });

  it('lists every folder before its contents, owned by root and with one timestamp', async () => {
    const members = membersOf(await createDebArchive([createDebianPackageTextEntry('control', '')], tree, epoch));
    const headers = await headersIn(zstdDecompressSync(members.get('data.tar.zst')!));
    expect(headers.map(({ name, type, mode, linkname }) => [name, type, mode, linkname])).toEqual([
      ['./', 'directory', 0o755, null],
      ['./usr/', 'directory', 0o755, null],
      ['./usr/bin/', 'directory', 0o755, null],
      ['./usr/lib/', 'directory', 0o755, null],
      ['./usr/lib/x/', 'directory', 0o755, null],
      ['./usr/bin/x', 'symlink', 0o777, '../lib/x/a'],
      ['./usr/lib/x/a', 'file', 0o755, null],
      ['./usr/lib/x/b', 'file', 0o644, null],
    ]);
    for (const { uid, gid, uname, gname, mtime } of headers)
      expect([uid, gid, uname, gname, mtime?.getTime()]).toEqual([0, 0, 'root', 'root', epoch * 1000]);
  });

  it('does not depend on the order of the files', async () => {
    const control = [createDebianPackageTextEntry('control', ''), createDebianPackageTextEntry('conffiles', '')];
    const one = await createDebArchive(control, tree, epoch);
    expect((await createDebArchive(control.toReversed(), tree.toReversed(), epoch)).equals(one)).toBe(true);
  });
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-out-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('output folder', () => {
  it('is created with its parents, and left empty', () => {
    ensureOutputFolder(join(folder, 'a/b'));
    ensureOutputFolder(join(folder, 'a/b'));
    expect(readdirSync(join(folder, 'a/b'))).toEqual([]);
  });

  it('is rejected at once when nothing can be written there', () => {
    writeFileSync(join(folder, 'file'), 'mine');
    for (const place of [join(folder, 'file'), join(folder, 'file/below'), '/proc/nowhere', '/proc/nowhere/below'])
      expect(() => ensureOutputFolder(place)).toThrow(`--out: ${place}: `);
    expect(existsSync('/proc/nowhere')).toBe(false);
  });
});
