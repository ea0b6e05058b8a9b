import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import Fastify, { type FastifyRequest } from 'fastify';
import { Pool } from 'pg';
import type { ServerSettings } from './start-server.ts';

/** Only Fastify, the database driver, the same two statements and their rows. */
const { dataDir, database, organizationId, statements } = JSON.parse(process.argv[2] ?? '') as ServerSettings;

const onSqlite = (sql: string): ((values: unknown[]) => unknown[]) => {
  const file = new SqliteDatabase(join(dataDir, 'bridge.sqlite'), { readonly: true });
  file.pragma('cache_size = -65536');
  file.pragma('mmap_size = 1073741824');
  const statement = file.prepare(sql);
  return values => statement.all(...values);
};

const pool = new Pool({ connectionString: database, max: 20 });
const onPostgres =
  (sql: string) =>
  async (values: unknown[]): Promise<unknown[]> =>
    (await pool.query(sql, values)).rows;

const runner = database === undefined ? onSqlite : onPostgres;
const [get, list] = [runner(statements.get), runner(statements.list)];
const app = Fastify({ logger: false });
const getMember = async (request: FastifyRequest): Promise<unknown> => {
  const { member_id } = request.params as { member_id: string };
  return (await get([member_id, organizationId]))[0];
};
app.route({ method: 'GET', url: '/v2/members/:member_id', handler: getMember });
app.get('/v2/members', async () => list([organizationId]));
await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.({ port: (app.server.address() as AddressInfo).port });
process.once('disconnect', () => process.exit(0));
