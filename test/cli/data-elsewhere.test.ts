import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBridge } from '@lintel/cloud-bridge/main';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { newTestDatabase } from '../support/bridge/postgres.ts';
import { runLintel } from '../support/processes/lintel-command.ts';

const passphrase = 'correct horse battery';

describe('commands for a bridge whose database is PostgreSQL', () => {
  let folder: string;
  let dataDir: string;
  let database: string;
  const path = (name: string) => join(folder, name);

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lintel-elsewhere-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    dataDir = path('data');
    database = await newTestDatabase();
    writeFileSync(path('passphrase'), `${passphrase}\n`);
    await (await createBridge({ dataDir, database, logger: false })).close();
    // As the configuration of the installed service.
    writeFileSync(path('bridge.toml'), `data = "${dataDir}"\nhttp_port = 8080\ndatabase = "${database}"\n`);
  });

  const backup = (...args: string[]) =>
    runLintel('backup', '--out', path('a.backup'), '--passphrase-file', path('passphrase'), ...args);

  it('refuse to work without it, name it, and create nothing', async () => {
    const before = readdirSync(dataDir).toSorted();
    const calls = [
      ['user', 'list'],
      ['organization', 'list'],
      ['organization', 'create', '--name', 'Hotel'],
      ['token', '--organization', 'org_1', '--scope', 'full_read_only'],
      ['keys', 'list'],
      ['keys', 'reset', '--confirm'],
      ['member', 'export', 'mem_1', '--organization', 'org_1'],
      ['broker-certificate', '--name', 'broker.example.com', '--out', path('broker')],
    ];
    const results = [
      ...(await Promise.all(calls.map(call => runLintel(...call, '--data', dataDir)))),
      await backup('--data', dataDir),
    ];
    for (const { code, stdout, stderr } of results) {
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(
        /belongs to a bridge whose database is PostgreSQL 127\.0\.0\.1:\d+\/\w+, not SQLite\. Add --data/,
      );
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
    expect(readdirSync(dataDir).toSorted()).toEqual(before);
    expect(existsSync(path('a.backup'))).toBe(false);
  });

  it('refuse it in a folder of an earlier version, which does not name its database', async () => {
    writeFileSync(join(dataDir, 'database-created'), `${new Date().toISOString()}\n`);
    const before = readdirSync(dataDir).toSorted();
    for (const result of [await runLintel('user', 'list', '--data', dataDir), await backup('--data', dataDir)])
      expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('If the bridge uses PostgreSQL') });
    const started = await runLintel('seed', path('bridge.toml'), '--data', dataDir);
    expect(started.code).toBe(1);
    expect(readdirSync(dataDir).toSorted()).toEqual(before);
  });

  it('find it in the configuration of the service, and say which', async () => {
    const config = ['--config', path('bridge.toml')];
    const listed = await runLintel('organization', 'list', ...config);
    expect(listed).toMatchObject({ code: 0 });
    expect(listed.stderr).toMatch(/^Data folder \S+, PostgreSQL 127\.0\.0\.1:\d+\/\w+ \(from \S+bridge\.toml\)\n$/);
    vi.stubEnv('LINTEL_CONFIG', path('bridge.toml'));
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await runLintel('user', 'list')).toMatchObject({ code: 0, stderr: listed.stderr });
  });

  it('refuse an empty database, and a mistyped folder', async () => {
    const empty = new URL(database);
    empty.pathname = '/postgres';
    expect(await runLintel('user', 'list', '--data', dataDir, '--database', empty.href)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('/postgres is empty: no bridge has used it'),
    });
    expect(await runLintel('user', 'list', '--data', path('dta'), '--database', database)).toMatchObject({ code: 1 });
    expect(existsSync(path('dta'))).toBe(false);
  });
});

describe('lintel backup', () => {
  it('refuses a database without data', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lintel-elsewhere-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'passphrase'), passphrase);
    const dataDir = join(folder, 'data');
    const bridge = await createBridge({ dataDir, logger: false });
    // As a command of an earlier version left it beside the keys of a bridge with PostgreSQL.
    await bridge.services.storage.writer.deleteFrom('key_checks').execute();
    await bridge.close();
    const out = join(folder, 'a.backup');
    expect(
      await runLintel('backup', '--data', dataDir, '--out', out, '--passphrase-file', join(folder, 'passphrase')),
    ).toMatchObject({ code: 1, stderr: expect.stringContaining('The database is empty: no bridge has used it') });
    expect(readdirSync(folder).toSorted()).toEqual(['data', 'passphrase']);
    expect(readFileSync(join(dataDir, 'database-created'), 'utf8')).toContain('SQLite');
  });
});
