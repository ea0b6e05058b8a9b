import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createBridge } from '@lintel/cloud-bridge/main';
import { describe, expect, it, onTestFinished } from 'vitest';
import { requireProgram } from '../reporting/require-program.ts';
import { newTestDatabase, startPostgres } from '../support/bridge/postgres.ts';
import { runLintel } from '../support/processes/lintel-command.ts';

const server = {
  command: globSync('/usr/lib/postgresql/*/bin/postgres').at(-1) ?? 'postgres',
  install: 'apt-get install postgresql',
};

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-backup-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'passphrase'), 'correct horse battery\n');
  return folder;
};

describe('lintel backup and restore of PostgreSQL', { tags: ['slow'] }, () => {
  it('uses pg_dump and pg_restore', async context => {
    requireProgram(context, server);
    requireProgram(context, { command: 'pg_dump', install: 'apt-get install postgresql-client' });
    const folder = newFolder();
    const postgres = await startPostgres([], {
      initdb: join(dirname(server.command), 'initdb'),
      postgres: server.command,
    });
    onTestFinished(() => postgres.stop());
    const [database, target] = [await postgres.newDatabase(), await postgres.newDatabase()];
    const dataDir = join(folder, 'bridge');
    const bridge = await createBridge({ dataDir, database, logger: false });
    onTestFinished(() => bridge.close());
    writeFileSync(
      join(folder, 'seed.json'),
      JSON.stringify({
        organization: { key: 'org', name: 'Hotel' },
        members: [{ key: 'ann', name: 'Ann', pins: ['2580'] }],
      }),
    );
    const from = ['--data', dataDir, '--database', database];
    expect(await runLintel('seed', join(folder, 'seed.json'), ...from)).toMatchObject({ code: 0 });
    const passphrase = ['--passphrase-file', join(folder, 'passphrase')];
    const file = join(folder, 'lintel.backup');
    expect(await runLintel('backup', ...from, '--out', file, ...passphrase)).toMatchObject({ code: 0, stderr: '' });

    const to = ['--data', join(folder, 'restored')];
    expect(await runLintel('restore', file, ...to, ...passphrase)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Add --database with the URL of an empty database'),
    });
    expect(await runLintel('restore', file, ...to, '--database', database, ...passphrase)).toMatchObject({
      code: 1,
      stderr: 'The database of --database is not empty. Create an empty one, and restore into that.\n',
    });
    expect(await runLintel('restore', file, ...to, '--database', target, ...passphrase)).toMatchObject({ code: 0 });
    const restored = await createBridge({ dataDir: join(folder, 'restored'), database: target, logger: false });
    onTestFinished(() => restored.close());
    const rows = await restored.services.storage.reader.selectFrom('members').select('name').execute();
    expect(rows).toEqual([{ name: 'Ann' }]);
  });

  it('says what to install if pg_dump is older than the server or missing', async context => {
    requireProgram(context, { command: 'pg_dump', install: 'apt-get install postgresql-client' });
    const folder = newFolder();
    const database = await newTestDatabase();
    const dataDir = join(folder, 'bridge');
    await (await createBridge({ dataDir, database, logger: false })).close();
    const args = ['--data', dataDir, '--database', database, '--out', join(folder, 'lintel.backup')];
    const call = () => runLintel('backup', ...args, '--passphrase-file', join(folder, 'passphrase'));
    expect(await call()).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^pg_dump failed: .*mismatch.*Install/),
    });
    const path = process.env['PATH'];
    process.env['PATH'] = folder;
    onTestFinished(() => {
      process.env['PATH'] = path;
    });
    expect(await call()).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^pg_dump is not installed\. Install .*: pg_dump --format=custom/),
    });
  });
});
