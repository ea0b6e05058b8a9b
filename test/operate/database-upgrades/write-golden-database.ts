import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { constants, zstdCompressSync } from 'node:zlib';
import { buildSqliteFilePath } from '@lintel/cloud-bridge/testing';
import SqliteDatabase from 'better-sqlite3';
import { startPostgres } from '../../support/bridge/postgres.ts';
import { TestBridge } from '../../support/bridge/test-bridge.ts';
import { runLintel } from '../../support/processes/lintel-command.ts';
import { type GoldenContents, goldenFolder, goldenSeed, readEverything } from './golden-database.ts';

/*
 * Writes the golden database of a version, once, before it is released:
 *
 *   node test/operate/database-upgrades/write-golden-database.ts 0.1.0
 *
 * Requires PostgreSQL with pg_dump (apt-get install postgresql). Never run it again for a released version.
 */

const [version] = process.argv.slice(2);
if (version === undefined) throw new Error('Specify the version, such as 0.1.0');
const target = join(goldenFolder, version);
mkdirSync(target, { recursive: true });

const compress = (bytes: Buffer): Buffer =>
  zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 19 } });

/** Fills the database through the command line and the API. */
const fill = async (dataDir: string, database: string | undefined): Promise<GoldenContents> => {
  const bridge = await TestBridge.open({
    dataDir,
    isNewDatabase: true,
    ...(database === undefined ? {} : { database }),
  });
  const file = join(dataDir, 'seed.json');
  writeFileSync(file, JSON.stringify(goldenSeed), { mode: 0o600 });
  const options = database === undefined ? [] : ['--database', database];
  const seeded = await runLintel('seed', file, '--data', dataDir, '--json', ...options);
  if (seeded.code !== 0) throw new Error(seeded.stderr);
  const { ids } = JSON.parse(seeded.stdout) as { readonly ids: Readonly<Record<string, string>> };
  const client = await bridge.client(ids['org']!, ids['app']!, 'full_read_write');
  await client.callOk('POST', `/members/${ids['ann']}/magic_links`, {});
  await client.callOk('POST', '/webhooks', {
    url: 'https://receiver.example.test/hook',
    filter: [],
    is_enabled: false,
  });
  await client.callOk('DELETE', `/members/${ids['bob']}`);
  const responses = await readEverything(client, ids);
  await bridge.bridge.close();
  return { organization_id: ids['org']!, application_id: ids['app']!, responses };
};

const writeContents = (engine: string, contents: GoldenContents): void =>
  writeFileSync(join(target, `${engine}.json`), `${JSON.stringify(contents, null, 2)}\n`);

const binaries = dirname(globSync('/usr/lib/postgresql/*/bin/postgres').at(-1) ?? '');
const server = await startPostgres([], { initdb: join(binaries, 'initdb'), postgres: join(binaries, 'postgres') });
const dataDir = mkdtempSync(join(tmpdir(), 'lintel-golden-'));
try {
  writeContents('sqlite', await fill(dataDir, undefined));
  const copy = join(dataDir, 'copy.sqlite');
  const original = new SqliteDatabase(buildSqliteFilePath(dataDir), { readonly: true });
  await original.backup(copy);
  original.close();
  writeFileSync(join(target, 'sqlite.zst'), compress(readFileSync(copy)));
  const database = await server.newDatabase();
  writeContents('postgres', await fill(dataDir, database));
  const args = ['--no-owner', '--no-privileges', '--rows-per-insert=100', database];
  const dump = execFileSync('pg_dump', args, { maxBuffer: 1 << 28, encoding: 'utf8' });
  // Commands of psql, which are no SQL.
  const statements = dump.replaceAll(/^\\.*$/gm, '');
  writeFileSync(join(target, 'postgres.zst'), compress(Buffer.from(statements)));
  copyFileSync(join(dataDir, 'master-keys.json'), join(target, 'master-keys.json'));
} finally {
  await server.stop();
  rmSync(dataDir, { recursive: true });
}
