import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createBridge } from '@lintel/cloud-bridge/main';
import { describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import { createQuickBackup } from '@lintel/cloud-bridge/testing';
import { requireProgram } from '../support/require-program.ts';
import { PartitionedEvents } from '../support/bridge/partitioned-events.ts';
import { newTestDatabase, startPostgres } from '../support/bridge/postgres.ts';
import { waitForTask } from '../support/bridge/wait-for-startup-task.ts';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import { runLintel } from '../support/processes/lintel-command.ts';

const server = {
  command: globSync('/usr/lib/postgresql/*/bin/postgres').at(-1) ?? 'postgres',
  install: 'apt-get install postgresql',
};

const passphraseText = 'correct horse battery';

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-backup-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'passphrase'), `${passphraseText}\n`);
  return folder;
};

/** A server of the version that the installed `pg_dump` has. */
const startInstalledPostgres = async (context: TestContext) => {
  requireProgram(context, server);
  requireProgram(context, { command: 'pg_dump', install: 'apt-get install postgresql-client' });
  const postgres = await startPostgres([], {
    initdb: join(dirname(server.command), 'initdb'),
    postgres: server.command,
  });
  onTestFinished(() => postgres.stop());
  return postgres;
};

describe('lintel backup and restore of PostgreSQL', { tags: ['slow'] }, () => {
  it('uses pg_dump and pg_restore', async context => {
    const postgres = await startInstalledPostgres(context);
    const folder = newFolder();
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
    const quick = join(folder, 'quick.backup');
    await createQuickBackup({ dataDir, database, out: quick, passphrase: passphraseText, now: Date.now() });
    expect(await runLintel('restore', quick, ...to, ...passphrase)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Add --database with the URL of an empty database'),
    });
    expect(await runLintel('restore', quick, ...to, '--database', database, ...passphrase)).toMatchObject({
      code: 1,
      stderr: 'The database of --database is not empty. Create an empty one, and restore into that.\n',
    });
    expect(await runLintel('restore', file, ...to, '--database', target, ...passphrase)).toMatchObject({ code: 0 });
    const restored = await createBridge({ dataDir: join(folder, 'restored'), database: target, logger: false });
    onTestFinished(() => restored.close());
    const rows = await restored.services.storage.reader.selectFrom('members').select('name').execute();
    expect(rows).toEqual([{ name: 'Ann' }]);
  });

  it('restores the months of events, which are continued and dropped afterwards', async context => {
    const postgres = await startInstalledPostgres(context);
    const folder = newFolder();
    const retention = { events: 90, deliveries: 30 };
    const [database, target] = [await postgres.newDatabase(), await postgres.newDatabase()];
    const open = async (dataDir: string, url: string): Promise<TestBridge> => {
      const bridge = await TestBridge.open({ dataDir, database: url, retention });
      onTestFinished(() => bridge.close());
      await waitForTask(bridge, 'retention');
      return bridge;
    };
    const source = await open(join(folder, 'bridge'), database);
    const { organizationId } = await source.newOrganization();
    const logged = new PartitionedEvents(source, organizationId);
    const times = ['2026-06-10', '2026-07-10', '2026-08-10'].map(day => Date.parse(day));
    const ids: string[] = [];
    for (const time of times) ids.push(await logged.at(time, () => logged.log(time)));
    const months = ['events_earlier', 'events_2026_07', 'events_2026_08'];
    expect(await Promise.all(ids.map(id => logged.partitionOf(id)))).toEqual(months);

    await createQuickBackup({
      dataDir: source.dataDir,
      database,
      out: join(folder, 'lintel.backup'),
      passphrase: passphraseText,
      now: Date.now(),
    });
    const passphrase = ['--passphrase-file', join(folder, 'passphrase')];
    const to = ['--data', join(folder, 'restored'), '--database', target];
    expect(await runLintel('restore', join(folder, 'lintel.backup'), ...to, ...passphrase)).toMatchObject({ code: 0 });

    const restored = new PartitionedEvents(await open(join(folder, 'restored'), target), organizationId);
    expect(await restored.listPartitions()).toEqual(await logged.listPartitions());
    expect(await Promise.all(ids.map(id => restored.partitionOf(id)))).toEqual(months);
    await restored.at(Date.parse('2026-11-02'), () => restored.runRetention());
    expect(await restored.listPartitions()).toEqual([
      'events_2026_08',
      'events_2026_09',
      'events_2026_11',
      'events_2026_12',
      'events_2027_01',
      'events_2027_02',
      'events_default',
    ]);
    expect(await Promise.all(ids.map(id => restored.partitionOf(id)))).toEqual([undefined, undefined, months[2]]);
    const december = Date.parse('2026-12-01');
    const id = await restored.at(december, () => restored.log(december));
    expect(await restored.partitionOf(id)).toBe('events_2026_12');
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
