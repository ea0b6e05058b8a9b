import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readBackupArchive, writeBackupArchive } from './encrypted-archive.ts';
import { BackupError } from './backup-error.ts';
import { backupArchiveFormat, type BackupManifest } from './archive-manifest.ts';

const passphrase = 'correct horse battery';
const encryption = { passphrase, workFactor: 4 };
const content = Buffer.alloc(300_000, 'data of the bridge ');
const sha256 = createHash('sha256').update(content).digest('hex');

describe('backup archive', () => {
  let folder: string;
  let file: string;
  const entry = { path: 'releases/a.release', size: content.length, sha256 };
  const manifest: BackupManifest = {
    format: 'lintel-backup',
    version: 1,
    created_at: '2026-06-01T10:00:00.000Z',
    engine: 'sqlite',
    has_keys: true,
    migrations: [],
    files: [entry],
  };
  const write = (changes: Partial<BackupManifest> = {}) =>
    writeBackupArchive(file, { ...manifest, ...changes }, [{ ...entry, source: join(folder, 'source') }], encryption);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lintel-archive-'));
    file = join(folder, 'a.backup');
    writeFileSync(join(folder, 'source'), content);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('returns what was written', async () => {
    await write();
    const chunks: Buffer[] = [];
    const targetOf = () => new Writable({ write: (chunk, _, done) => done(void chunks.push(chunk as Buffer)) });
    expect(await readBackupArchive(file, backupArchiveFormat, passphrase, { targetOf })).toEqual(manifest);
    expect(Buffer.concat(chunks).equals(content)).toBe(true);
    expect(readFileSync(file).includes('data of the bridge')).toBe(false);
  });

  it('does not open with another passphrase', async () => {
    await write();
    await expect(readBackupArchive(file, backupArchiveFormat, 'another one')).rejects.toThrow(
      `Wrong passphrase for ${file}.`,
    );
  });

  it('detects a change of any part, and a missing end', async () => {
    await write();
    const bytes = readFileSync(file);
    const rejection = expect.objectContaining({ name: 'BackupError' });
    for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / 40)) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      writeFileSync(file, changed);
      await expect(readBackupArchive(file, backupArchiveFormat, passphrase)).rejects.toEqual(rejection);
    }
    writeFileSync(file, bytes);
    truncateSync(file, bytes.length - 20);
    await expect(readBackupArchive(file, backupArchiveFormat, passphrase)).rejects.toEqual(rejection);
  });

  it.each([
    ['has another digest', [{ ...entry, sha256: '0'.repeat(64) }]],
    ['is not listed', []],
    ['is missing', [entry, { ...entry, path: 'releases/b.release' }]],
  ])('detects that a file %s', async (_, files) => {
    await write({ files });
    await expect(readBackupArchive(file, backupArchiveFormat, passphrase)).rejects.toThrow(
      `${file} is damaged or incomplete`,
    );
  });

  it('writes no byte of a file that is larger or smaller than the manifest says', async () => {
    for (const size of [content.length - 1, content.length + 1]) {
      const archived = { ...entry, source: join(folder, 'source') };
      await writeBackupArchive(file, { ...manifest, files: [{ ...entry, size }] }, [archived], encryption);
      let written = 0;
      const targetOf = () => new Writable({ write: (chunk: Buffer, _, done) => done(void (written += chunk.length)) });
      const reading = readBackupArchive(file, backupArchiveFormat, passphrase, { targetOf });
      await expect(reading).rejects.toThrow(`${file} is damaged or incomplete`);
      expect(written).toBe(0);
      rmSync(file);
    }
  });

  it('refuses a manifest above 1 MiB without reading it', async () => {
    await write({ migrations: Array.from({ length: 100_000 }, () => '2026-01-01-a') });
    await expect(readBackupArchive(file, backupArchiveFormat, passphrase)).rejects.toThrow('larger than 1 MiB');
  });

  it('refuses files that a backup does not have, and a file twice', async () => {
    for (const path of ['folder.lock', 'bridge.sqlite-wal', 'releases/a/b.release', 'releases/a.sh', 'new/a.release']) {
      await write({ files: [{ ...entry, path }] });
      await expect(readBackupArchive(file, backupArchiveFormat, passphrase)).rejects.toThrow('manifest is not valid');
      rmSync(file);
    }
    await write({ files: [entry, entry] });
    await expect(readBackupArchive(file, backupArchiveFormat, passphrase)).rejects.toThrow('manifest is not valid');
  });

  it('does not accept a path outside the data folder', async () => {
    for (const path of ['../a', '/etc/passwd', 'releases/../../a', '.']) {
      await write({ files: [{ ...entry, path }] });
      await expect(readBackupArchive(file, backupArchiveFormat, passphrase)).rejects.toThrow(BackupError);
      rmSync(file);
    }
  });

  it('leaves no file behind if a source cannot be read', async () => {
    rmSync(join(folder, 'source'));
    await expect(write()).rejects.toThrow('ENOENT');
    expect(() => readFileSync(file)).toThrow('ENOENT');
  });
});
