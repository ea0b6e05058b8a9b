import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bridge, createBridge } from '@lintel/cloud-bridge/main';
import { startPostgres } from '../support/bridge/postgres.ts';
import { fill, type Filled, MEMBERS } from './api-fixture/fill.ts';
import { getRequest, perSecond, postRequest } from './api-fixture/load.ts';
import { type ServerOrder, startServer } from './api-fixture/servers.ts';
import type { Benchmark } from './benchmark.ts';

const CONNECTIONS = 32;
const WRITERS = 128;
const ROUNDS = 7;
const ROUND_MS = 1000;
const CREATE_MS = 3000;
const PAGE_ROUNDS = 201;

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

interface Prepared {
  readonly filled: Filled;
  readonly statements: ServerOrder['statements'];
  readonly queriesPerExpand: number;
  readonly lastPage: number;
}

type Ask = (path: string) => Promise<{ readonly cursor_next: string }>;

const asker =
  ({ app }: Bridge, { token }: Filled): Ask =>
  async path => {
    const answer = await app.inject({ url: `/v2${path}`, headers: { authorization: `Bearer ${token}` } });
    if (answer.statusCode !== 200) throw new Error(answer.payload);
    return answer.json();
  };

const timed = async (ask: Ask, path: string): Promise<number> => {
  const started = performance.now();
  await ask(path);
  return performance.now() - started;
};

/** The cursor of the last page is the first page's with another position: walking there would take 10,000 pages. */
const lastPageOverFirst = async ({ services }: Bridge, ask: Ask): Promise<number> => {
  const [binding] = JSON.parse(Buffer.from((await ask('/events')).cursor_next, 'base64url').toString()) as [string];
  const before = await services.storage.reader
    .selectFrom('events')
    .select(['created_at', 'id'])
    .orderBy('created_at')
    .orderBy('id')
    .offset(100)
    .limit(1)
    .executeTakeFirstOrThrow();
  const cursor = Buffer.from(JSON.stringify([binding, before.created_at, before.id])).toString('base64url');
  const page = await ask(`/events?cursor=${cursor}`);
  if ('cursor_next' in page) throw new Error('the last page has another behind it');
  const [first, last]: [number[], number[]] = [[], []];
  for (let round = 0; round < PAGE_ROUNDS; round++) {
    first.push(await timed(ask, '/events'));
    last.push(await timed(ask, `/events?cursor=${cursor}`));
  }
  return median(last) / median(first);
};

/** In this process: fills the database, sees which statements a request takes, and times pages. */
const prepare = async (dataDir: string, database: string | undefined): Promise<Prepared> => {
  const seen: string[] = [];
  const bridge = await createBridge({
    dataDir,
    database,
    publicUrl: 'http://bench.test',
    logger: false,
    rateLimit: { perSecond: 1e9, burst: 1e9 },
    onQuery: sql => seen.push(sql),
  });
  const filled = await fill(bridge.services);
  const ask = asker(bridge, filled);
  const statementsOf = async (path: string): Promise<string[]> => {
    seen.length = 0;
    await ask(path);
    return seen.filter(sql => sql.startsWith('select') && !sql.includes('outbox'));
  };
  const ofMembers = (statements: readonly string[]): string =>
    statements.find(sql => sql.includes('from "members" as t')) ?? '';
  const get = ofMembers(await statementsOf(`/members/${filled.memberId(7)}`));
  const list = ofMembers(await statementsOf('/members'));
  const expanded = await statementsOf('/members?expand=group_associations.member_group,pins');
  const lastPage = await lastPageOverFirst(bridge, ask);
  await bridge.close();
  return { filled, statements: { get, list }, queriesPerExpand: expanded.length, lastPage };
};

interface EngineFigures {
  readonly getMember: number;
  readonly listMembers: number;
  readonly createsPerSecond: number;
  readonly queriesPerExpand: number;
  readonly lastPage: number;
}

/** Ours and the bare one in turn, so that a slow moment of the machine meets both; ours over theirs. */
const ratio = async (ports: { ours: number; bare: number }, next: () => string): Promise<number> => {
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const bare = await perSecond(ports.bare, CONNECTIONS, ROUND_MS, next);
    ratios.push((await perSecond(ports.ours, CONNECTIONS, ROUND_MS, next)) / bare);
  }
  return median(ratios);
};

const measure = async (database: string | undefined): Promise<EngineFigures> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lintel-bench-'));
  const { filled, statements, queriesPerExpand, lastPage } = await prepare(dataDir, database);
  const order = { dataDir, database, organizationId: filled.organizationId, statements };
  const ours = await startServer({ ...order, kind: 'ours' });
  const bare = await startServer({ ...order, kind: 'bare' });
  const ports = { ours: ours.port, bare: bare.port };
  let number = 0;
  const nextMember = (): string => {
    number = (number + 7919) % MEMBERS;
    return getRequest(`/v2/members/${filled.memberId(number + 1)}`, filled.token);
  };
  const page = getRequest('/v2/members', filled.token);
  const create = postRequest('/v2/members', filled.token, { name: 'Ann', metadata: { source: 'pms' } });
  try {
    for (const port of Object.values(ports)) await perSecond(port, CONNECTIONS, ROUND_MS, nextMember);
    const getMember = await ratio(ports, nextMember);
    const listMembers = await ratio(ports, () => page);
    const createsPerSecond = await perSecond(ports.ours, WRITERS, CREATE_MS, () => create);
    return { getMember, listMembers, createsPerSecond, queriesPerExpand, lastPage };
  } finally {
    await ours.stop();
    await bare.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
};

const run: Benchmark['run'] = async () => {
  const sqlite = await measure(undefined);
  const server = await startPostgres();
  try {
    const postgres = await measure(await server.newDatabase());
    return {
      ratios: {
        sqlite_get_member: sqlite.getMember,
        sqlite_list_members: sqlite.listMembers,
        postgres_get_member: postgres.getMember,
        postgres_list_members: postgres.listMembers,
        last_page: Math.max(sqlite.lastPage, postgres.lastPage),
      },
      figures: {
        sqlite_create_per_second: sqlite.createsPerSecond,
        postgres_create_per_second: postgres.createsPerSecond,
        queries_per_expand: Math.max(sqlite.queriesPerExpand, postgres.queriesPerExpand),
      },
    };
  } finally {
    await server.stop();
  }
};

export default { name: 'api', run } satisfies Benchmark;
