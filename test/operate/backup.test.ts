import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBridge } from '@lintel/cloud-bridge/main';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createQuickBackup } from '@lintel/cloud-bridge/testing';
import { type CommandResult, runLintel } from '../support/processes/lintel-command.ts';
import { startBridge } from '../support/processes/bridge-process.ts';

const seedFile = {
  organization: { key: 'org', name: 'Hotel' },
  members: [{ key: 'ann', name: 'Ann', pins: ['2580'], emails: ['ann@example.test'] }],
};

interface BackupDocument {
  readonly size: number;
  readonly files: readonly string[];
  readonly has_keys: boolean;
}

describe('lintel backup and restore', { tags: ['slow'] }, () => {
  let folder: string;
  let dataDir: string;
  let ids: Record<string, string>;
  let created: CommandResult;
  let running: Awaited<ReturnType<typeof createBridge>>;
  const path = (name: string) => join(folder, name);
  const passphrase = () => ['--passphrase-file', path('passphrase')];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lintel-backup-'));
    dataDir = path('bridge');
    const passphraseText = 'correct horse battery';
    writeFileSync(path('passphrase'), `${passphraseText}\n`);
    writeFileSync(path('wrong'), 'wrong horse battery\n');
    writeFileSync(path('seed.json'), JSON.stringify(seedFile));
    const bridge = { dataDir, logger: false as const };
    running = await createBridge(bridge);
    const seeded = await runLintel('seed', path('seed.json'), '--data', dataDir, '--json');
    ({ ids } = JSON.parse(seeded.stdout) as { ids: Record<string, string> });
    created = await runLintel('backup', '--data', dataDir, '--out', path('a.backup'), ...passphrase(), '--json');
    // Each attempt to open a backup of the command takes more than a second of processor time.
    const quick = { database: undefined, passphrase: passphraseText, now: Date.now() };
    await createQuickBackup({ dataDir, out: path('quick.backup'), ...quick });
  });
  afterAll(async () => {
    await running.close();
    rmSync(folder, { recursive: true });
  });

  it('contains database, keys and marks of a bridge that runs, and is private', () => {
    expect(created).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(created.stdout)).toMatchObject({ engine: 'sqlite', has_keys: true, file: path('a.backup') });
    expect(statSync(path('a.backup')).mode & 0o777).toBe(0o600);
    expect(readFileSync(path('a.backup')).subarray(0, 21).toString()).toBe('age-encryption.org/v1');
    expect(readdirSync(folder).filter(name => name.includes('.new'))).toEqual([]);
    expect(readdirSync(dataDir).filter(name => name.includes('work'))).toEqual([]);
  });

  it('is restored with members and readable PINs', async () => {
    const restored = await runLintel(
      'restore',
      path('a.backup'),
      '--data',
      path('restored'),
      ...passphrase(),
      '--json',
    );
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    const { files } = JSON.parse(restored.stdout) as BackupDocument;
    expect(files).toEqual(expect.arrayContaining(['bridge.sqlite', 'master-keys.json', 'database-created']));
    const bridge = await createBridge({ dataDir: path('restored'), logger: false });
    try {
      const { storage } = bridge.services;
      const rows = await storage.reader.selectFrom('members').select(['id', 'name']).execute();
      expect(rows).toEqual([{ id: ids['ann'], name: 'Ann' }]);
    } finally {
      await bridge.close();
    }
  });

  const restore = (file: string, to: string, secret = path('passphrase')) =>
    runLintel('restore', file, '--data', path(to), '--passphrase-file', secret);

  it('refuses a data folder that is not empty, and a file that exists', async () => {
    expect(await restore(path('a.backup'), 'bridge')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^\S+ is not empty: it contains \S+\. Restore into an empty folder\.\n$/),
    });
    const again = await runLintel('backup', '--data', dataDir, '--out', path('a.backup'), ...passphrase());
    expect(again).toMatchObject({ code: 1, stderr: `${path('a.backup')} already exists. Choose another file.\n` });
  });

  it('says in one sentence that the passphrase is wrong', async () => {
    expect(await restore(path('quick.backup'), 'empty-1', path('wrong'))).toEqual({
      code: 1,
      stdout: '',
      stderr: `Wrong passphrase for ${path('quick.backup')}.\n`,
    });
    expect(readdirSync(path('empty-1'))).toEqual([]);
  });

  it.each([
    ['cut off', (file: string) => truncateSync(file, statSync(file).size - 100), 'is damaged or incomplete'],
    [
      'changed in one byte',
      (file: string) => {
        const bytes = readFileSync(file);
        bytes[Math.floor(bytes.length / 2)]! ^= 1;
        writeFileSync(file, bytes);
      },
      'is damaged or incomplete',
    ],
    ['another file', (file: string) => writeFileSync(file, 'notes\n'), 'is not a backup of Lintel'],
  ])('refuses a file that is %s', async (_, damage, message) => {
    const file = path('damaged.backup');
    copyFileSync(path('quick.backup'), file);
    damage(file);
    const { code, stderr } = await restore(file, 'empty-2');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(`${file} ${message}`) });
    expect(readdirSync(path('empty-2'))).toEqual([]);
  });

  it('leaves out keys on request, and is restored beside the keys', async () => {
    const out = path('without.backup');
    const keyless = await runLintel(
      'backup',
      '--data',
      dataDir,
      '--out',
      out,
      ...passphrase(),
      '--without-keys',
      '--json',
    );
    const { files, has_keys } = JSON.parse(keyless.stdout) as BackupDocument;
    expect(has_keys).toBe(false);
    expect(files).not.toContain('master-keys.json');
    const restored = await restore(out, 'keyless');
    expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining('Copy master-keys.json') });
    await expect(createBridge({ dataDir: path('keyless'), logger: false })).rejects.toThrow(
      'master-keys.json is missing',
    );
    copyFileSync(join(dataDir, 'master-keys.json'), join(path('keyless'), 'master-keys.json'));
    await (await createBridge({ dataDir: path('keyless'), logger: false })).close();
  });

  it('refuses to back up beside keys of another bridge', async () => {
    const restored = await restore(path('quick.backup'), 'foreign');
    expect(restored.code).toBe(0);
    const keys = { current: 1, keys: { 1: Buffer.alloc(32, 7).toString('base64') } };
    writeFileSync(join(path('foreign'), 'master-keys.json'), JSON.stringify(keys));
    const rejected = await runLintel('backup', '--data', path('foreign'), '--out', path('b.backup'), ...passphrase());
    expect(rejected).toMatchObject({ code: 1, stderr: expect.stringContaining('contains another key 1') });
    expect(readdirSync(folder)).not.toContain('b.backup');
  });

  it('requires a passphrase of 12 characters', async () => {
    const out = ['--out', path('c.backup')];
    expect(await runLintel('backup', '--data', dataDir, ...out)).toMatchObject({
      code: 1,
      stderr: 'Specify the passphrase with --passphrase-file FILE or LINTEL_PASSPHRASE\n',
    });
    writeFileSync(path('short'), 'short\n');
    expect(await runLintel('backup', '--data', dataDir, ...out, '--passphrase-file', path('short'))).toMatchObject({
      code: 1,
      stderr: 'The passphrase must have 12 characters or more\n',
    });
  });
});

describe('lintel bridge --backup-dir', { tags: ['slow'] }, () => {
  it('writes a backup, reports it in /readyz and /metrics, and deletes the oldest', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lintel-scheduled-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const passphrase = join(folder, 'passphrase');
    const backups = join(folder, 'backups');
    writeFileSync(passphrase, 'correct horse battery\n');
    const options = ['--backup-dir', backups, '--backup-passphrase-file', passphrase, '--backup-keep', '1'];
    const bridge = await startBridge(join(folder, 'bridge'), ...options, '--metrics-port', '0');
    onTestFinished(() => bridge.stop().then(() => undefined));
    const readyz = async () => (await fetch(`${bridge.ready['http']}/readyz`)).json() as Promise<object>;
    await expect
      .poll(readyz, { timeout: 180_000 })
      .toMatchObject({ status: 'ok', backup: { last_success_at: expect.any(String), failures_since_start: 0 } });
    expect(readdirSync(backups)).toEqual([expect.stringMatching(/^lintel-\d{8}T\d{6}Z\.backup$/)]);
    const metrics = await (await fetch(bridge.ready['metrics']!)).text();
    expect(metrics).toMatch(/^lintel_backup_last_success_timestamp_seconds [1-9]\d{9}$/m);
    expect(metrics).toMatch(/^lintel_backup_failures_total 0$/m);
    await expect.poll(() => bridge.log()).toContain('Backup written');
  });
});
