import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBridge } from '@lintel/cloud-bridge/main';
import { startPostgres } from '../support/bridge/postgres.ts';
import { measureEventPages, pageReader } from './api-fixture/measure-event-pages.ts';
import { seedDatabase, type SeededDatabase, MEMBER_COUNT } from './api-fixture/seed-database.ts';
import { getRequest, requestsPerSecond, postRequest } from './api-fixture/http-load.ts';
import { type BareSettings, startServer } from './api-fixture/start-server.ts';
import { type Benchmark, median, scaled } from './harness/benchmark-types-and-statistics.ts';

const CONNECTIONS = 32;
const WRITERS = 128;
const ROUNDS = scaled(7);
const ROUND_MS = scaled(1000, 100);
const CREATE_ROUNDS = scaled(3);
const CREATE_MS = scaled(3000, 100);

interface PreparedDatabase {
  readonly seeded: SeededDatabase;
  readonly statements: BareSettings['statements'];
  readonly queriesPerExpand: number;
  readonly lastPage: number;
}

/** Fills the database, records the statements of requests, and measures pages, all in this process. */
const prepare = async (dataDir: string, database: string | undefined): Promise<PreparedDatabase> => {
  const seen: string[] = [];
  const bridge = await createBridge({
    dataDir,
    database,
    publicUrl: 'http://bench.test',
    logger: false,
    rateLimit: { perSecond: 1e9, burst: 1e9 },
    onQuery: sql => seen.push(sql),
  });
  const seeded = await seedDatabase(bridge.services);
  const getPage = pageReader(bridge, seeded);
  const statementsOf = async (path: string): Promise<string[]> => {
    seen.length = 0;
    await getPage(path);
    return seen.filter(sql => sql.startsWith('select') && !sql.includes('outbox'));
  };
  const ofMembers = (statements: readonly string[]): string =>
    statements.find(sql => sql.includes('from "members" as t')) ?? '';
  const get = ofMembers(await statementsOf(`/members/${seeded.memberId(7)}`));
  const list = ofMembers(await statementsOf('/members'));
  // The smallest of three, because background tasks of the bridge query the database too.
  const expands: number[] = [];
  for (let time = 0; time < 3; time++)
    expands.push((await statementsOf('/members?expand=group_associations.member_group,pins')).length);
  const { firstMs, lastMs } = await measureEventPages(bridge, getPage);
  await bridge.close();
  return { seeded, statements: { get, list }, queriesPerExpand: Math.min(...expands), lastPage: lastMs / firstMs };
};

interface EngineFigures {
  readonly getMember: number;
  readonly listMembers: number;
  readonly createsPerSecond: number;
  readonly create: number;
  readonly queriesPerExpand: number;
  readonly lastPage: number;
}

/** Requests per second of Lintel divided by those of the bare server, measured alternately. */
const ratio = async (ports: { ours: number; bare: number }, next: () => string): Promise<number> => {
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const bare = await requestsPerSecond(ports.bare, CONNECTIONS, ROUND_MS, next);
    ratios.push((await requestsPerSecond(ports.ours, CONNECTIONS, ROUND_MS, next)) / bare);
  }
  return median(ratios);
};

/** The same for requests that create a member, with the median of Lintel's requests per second. */
const compareCreates = async (ports: { ours: number; bare: number }, create: string) => {
  const rates: number[] = [];
  const ratios: number[] = [];
  for (let round = 0; round < CREATE_ROUNDS; round++) {
    const bare = await requestsPerSecond(ports.bare, WRITERS, CREATE_MS, () => create);
    const ours = await requestsPerSecond(ports.ours, WRITERS, CREATE_MS, () => create);
    rates.push(ours);
    ratios.push(ours / bare);
  }
  return { createsPerSecond: median(rates), create: median(ratios) };
};

const measure = async (database: string | undefined): Promise<EngineFigures> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lintel-bench-'));
  const { seeded, statements, queriesPerExpand, lastPage } = await prepare(dataDir, database);
  const { organizationId } = seeded;
  const ours = await startServer({ kind: 'lintel', dataDir, database });
  const bare = await startServer({ kind: 'bare', dataDir, database, organizationId, statements });
  const ports = { ours: ours.port, bare: bare.port };
  let number = 0;
  const nextMember = (): string => {
    number = (number + 7919) % MEMBER_COUNT;
    return getRequest(`/v2/members/${seeded.memberId(number + 1)}`, seeded.token);
  };
  const page = getRequest('/v2/members', seeded.token);
  const create = postRequest('/v2/members', seeded.token, { name: 'Ann', metadata: { source: 'pms' } });
  try {
    for (const port of Object.values(ports)) await requestsPerSecond(port, CONNECTIONS, ROUND_MS, nextMember);
    const getMember = await ratio(ports, nextMember);
    const listMembers = await ratio(ports, () => page);
    return { getMember, listMembers, ...(await compareCreates(ports, create)), queriesPerExpand, lastPage };
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
        sqlite_create: sqlite.create,
        postgres_create: postgres.create,
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

export default {
  name: 'api',
  smallerIsBetter: ['last_page'],
  goals: { sqlite_create: 0.7, postgres_create: 0.7 },
  run,
} satisfies Benchmark;
