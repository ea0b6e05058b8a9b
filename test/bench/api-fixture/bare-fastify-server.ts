import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import SqliteDatabase from 'better-sqlite3';
import Fastify, { type FastifyRequest } from 'fastify';
import { Pool } from 'pg';
import type { BareSettings } from './start-server.ts';

/** Only Fastify, the database driver, the same two statements and their rows, and a batched insert. */
const { dataDir, database, organizationId, statements } = JSON.parse(process.argv[2] ?? '') as BareSettings;

const onSqlite = (sql: string): ((values: unknown[]) => unknown[]) => {
  const file = new SqliteDatabase(join(dataDir, 'bridge.sqlite'), { readonly: true });
  file.pragma('cache_size = -65536');
  file.pragma('mmap_size = 1073741824');
  const statement = file.prepare(sql);
  return values => statement.all(...values);
};

interface BareMember {
  readonly id: string;
  readonly name: string;
  readonly metadata: string;
}

const table =
  'CREATE TABLE IF NOT EXISTS bare_members (id TEXT PRIMARY KEY, name TEXT, metadata TEXT, created_at BIGINT)';

const sqliteInserter = (): ((members: readonly BareMember[]) => void) => {
  const file = new SqliteDatabase(join(dataDir, 'bare.sqlite'));
  file.pragma('journal_mode = WAL');
  file.pragma('synchronous = FULL');
  file.exec(table);
  const insert = file.prepare('INSERT INTO bare_members VALUES (?, ?, ?, ?)');
  return file.transaction((members: readonly BareMember[]) => {
    for (const { id, name, metadata } of members) insert.run(id, name, metadata, Date.now());
  });
};

const postgresInserter = async (): Promise<(members: readonly BareMember[]) => Promise<unknown>> => {
  await pool.query(table);
  const insert =
    'INSERT INTO bare_members SELECT id, name, metadata, $4 FROM unnest($1::text[], $2::text[], $3::text[]) AS t (id, name, metadata)';
  return members =>
    pool.query(insert, [
      members.map(({ id }) => id),
      members.map(({ name }) => name),
      members.map(({ metadata }) => metadata),
      Date.now(),
    ]);
};

const pool = new Pool({ connectionString: database, max: 20 });
const onPostgres =
  (sql: string) =>
  async (values: unknown[]): Promise<unknown[]> =>
    (await pool.query(sql, values)).rows;

const runner = database === undefined ? onSqlite : onPostgres;
const [get, list] = [runner(statements.get), runner(statements.list)];
const insertAll: (members: readonly BareMember[]) => Promise<unknown> | void =
  database === undefined ? sqliteInserter() : await postgresInserter();

let waiting: { readonly member: BareMember; readonly done: () => void }[] = [];
let isInserting = false;

/** One durable transaction for all requests that wait. */
const insertWaiting = async (): Promise<void> => {
  if (isInserting) return;
  isInserting = true;
  while (waiting.length > 0) {
    const batch = waiting;
    waiting = [];
    await insertAll(batch.map(({ member }) => member));
    for (const { done } of batch) done();
    await setImmediate();
  }
  isInserting = false;
};

const app = Fastify({ logger: false });
const getMember = async (request: FastifyRequest): Promise<unknown> => {
  const { member_id } = request.params as { member_id: string };
  return (await get([member_id, organizationId]))[0];
};
app.route({ method: 'GET', url: '/v2/members/:member_id', handler: getMember });
app.get('/v2/members', async () => list([organizationId]));
app.post('/v2/members', async request => {
  const { name, metadata } = request.body as { name: string; metadata: object };
  const member = { id: randomUUID(), name, metadata: JSON.stringify(metadata) };
  await new Promise<void>(done => {
    waiting.push({ member, done });
    void setImmediate().then(insertWaiting);
  });
  return member;
});
await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.({ port: (app.server.address() as AddressInfo).port });
process.once('disconnect', () => process.exit(0));
