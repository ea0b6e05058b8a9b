import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { openSqlite } from '@lintel/service/sqlite/open-sqlite';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { createEmptyDatabase } from '../../support/bridge/postgres.ts';
import { runLintel } from '../../support/processes/lintel-command.ts';
import { goldenFolder } from './golden-database.ts';

describe('lintel bridge --check', () => {
  let dataDir: string;
  const file = (name: string): string => join(dataDir, name);
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'lintel-check-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  const copyGolden = (): void => {
    const golden = join(goldenFolder, '0.1.0');
    copyFileSync(join(golden, 'master-keys.json'), file('master-keys.json'));
    const bytes = zstdDecompressSync(readFileSync(join(golden, 'sqlite.zst')));
    writeFileSync(file('bridge.sqlite'), bytes, { mode: 0o600 });
  };
  const changeDatabase = (sql: string): void => {
    const database = openSqlite(file('bridge.sqlite'));
    database.exec(sql);
    database.close();
  };
  const check = (...options: readonly string[]) =>
    runLintel('bridge', '--data', dataDir, '--http-port', '0', '--mqtt-port', '0', '--check', ...options);

  it('creates nothing in a new folder', async () => {
    expect(await check()).toMatchObject({ code: 0, stdout: expect.stringContaining('ok   Database: Empty.') });
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it('names the pending migrations and changes nothing', async () => {
    copyGolden();
    changeDatabase("delete from schema_migrations where name = '0016-event-details'");
    const before = readFileSync(file('bridge.sqlite'));
    const { code, stdout } = await check();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ok {3}Database: \d+ migrations will run: 0016-event-details.*\. Back up first$/m);
    expect(stdout).toContain('ok   Master keys: Belong to the database');
    expect(readFileSync(file('bridge.sqlite')).equals(before)).toBe(true);
  });

  it('fails for a newer database, wrong keys and a damaged file', async () => {
    copyGolden();
    rmSync(file('master-keys.json'));
    expect(await check()).toMatchObject({ code: 1, stdout: expect.stringContaining('FAIL Master keys: ') });
    changeDatabase("insert into schema_migrations values ('9999-future', 0)");
    expect(await check()).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('FAIL Database: The database was created by a newer version (9999-future)'),
    });
    writeFileSync(file('bridge.sqlite'), 'x'.repeat(10_000));
    expect(await check()).toMatchObject({ code: 1, stdout: expect.stringMatching(/^FAIL Database: .* is damaged/m) });
  });

  it('connects to PostgreSQL', async () => {
    const database = await createEmptyDatabase(inject('postgresUrl'));
    expect(await check('--database', database)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('ok   Database: Empty.'),
    });
    expect(await check('--database', 'postgres://127.0.0.1:1/none')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('FAIL Database: Cannot be reached: '),
    });
  });

  it('reports a folder that others can read', async () => {
    mkdirSync(file('open'), { mode: 0o755 });
    const open = await runLintel('bridge', '--data', file('open'), '--http-port', '0', '--mqtt-port', '0', '--check');
    expect(open).toMatchObject({ code: 1, stdout: expect.stringContaining('Run: chmod 700') });
  });
});
