import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../support/bridge/postgres.ts';
import { buildPages } from '../support/browser/built-pages.ts';
import { requestsPerSecond } from './api-fixture/http-load.ts';
import { startServer } from './api-fixture/start-server.ts';
import { type Benchmark, median, scaled } from './benchmark.ts';
import { MemberScreenBrowser } from './console-fixture/member-screen.ts';
import {
  type OrganizationLogin,
  type PreparedOrganizations,
  prepareOrganizations,
} from './console-fixture/prepare-organizations.ts';

const ROUNDS = scaled(15);
const ROUND_MS = scaled(200, 20);
const SCREEN_ROUNDS = scaled(15);

/** As typed to find one member: all members match, then some, then one; and a word that no member has. */
const searches = ['g', 'guest', 'guest 4', 'guest 47', 'guest 4711', 'nobody'];
const searchPath = (text: string): string => `/members?limit=6&search=${encodeURIComponent(text)}`;
const auditLogPath = '/events?subject.type=user';

/** Milliseconds, with the full and with the empty organization. */
interface Latencies {
  readonly full: number;
  readonly empty: number;
}

const ratioOf = ({ full, empty }: Latencies): number => full / empty;
const slowest = (latencies: readonly Latencies[]): Latencies =>
  latencies.toSorted((a, b) => ratioOf(b) - ratioOf(a))[0]!;

type Measure = (login: OrganizationLogin) => Promise<number>;

/** Medians of alternate measurements, after one of each that does not count. */
const compare = async (
  { full, empty }: PreparedOrganizations,
  rounds: number,
  measure: Measure,
): Promise<Latencies> => {
  const times = { full: [] as number[], empty: [] as number[] };
  for (const login of [full, empty]) await measure(login);
  for (let round = 0; round < rounds; round++) {
    times.empty.push(await measure(empty));
    times.full.push(await measure(full));
  }
  return { full: median(times.full), empty: median(times.empty) };
};

/** The mean latency of requests of the console, one after the other. */
const requestLatency =
  (port: number, path: string): Measure =>
  async ({ organizationId, cookie }) => {
    const request = `GET /admin/v1/organizations/${organizationId}${path} HTTP/1.1\r\nhost: localhost\r\ncookie: ${cookie}\r\n\r\n`;
    return 1000 / (await requestsPerSecond(port, 1, ROUND_MS, () => request));
  };

const measureScreen = async (port: number, organizations: PreparedOrganizations) => {
  const screen = await MemberScreenBrowser.launch(`http://127.0.0.1:${port}`);
  try {
    const interactive = await compare(
      organizations,
      SCREEN_ROUNDS,
      async login => (await screen.load(login)).interactiveMs,
    );
    const { files } = await screen.load(organizations.full);
    return { interactive, firstLoadBytes: await screen.gzipBytesOf(files, organizations.full) };
  } finally {
    await screen.close();
  }
};

/** Runs with a bridge as a separate process, whose database has both organizations. */
const withBridge = async <T>(
  database: string | undefined,
  measure: (port: number, organizations: PreparedOrganizations) => Promise<T>,
): Promise<T> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lintel-bench-'));
  try {
    const organizations = await prepareOrganizations(dataDir, database);
    const server = await startServer({ kind: 'lintel', dataDir, database });
    try {
      return await measure(server.port, organizations);
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
};

const measureRequests = async (port: number, organizations: PreparedOrganizations) => {
  const found: Latencies[] = [];
  for (const text of searches) found.push(await compare(organizations, ROUNDS, requestLatency(port, searchPath(text))));
  const auditLog = await compare(organizations, ROUNDS, requestLatency(port, auditLogPath));
  return { search: slowest(found), auditLog };
};

const run: Benchmark['run'] = async () => {
  await buildPages();
  const sqlite = await withBridge(undefined, async (port, organizations) => ({
    ...(await measureRequests(port, organizations)),
    ...(await measureScreen(port, organizations)),
  }));
  const server = await startPostgres();
  try {
    const postgres = await withBridge(await server.newDatabase(), measureRequests);
    return {
      ratios: {
        search_100k: ratioOf(slowest([sqlite.search, postgres.search])),
        interactive_100k: ratioOf(sqlite.interactive),
        audit_log_1m: ratioOf(slowest([sqlite.auditLog, postgres.auditLog])),
      },
      figures: {
        first_load_kb: sqlite.firstLoadBytes / 1000,
        sqlite_search_ms: sqlite.search.full,
        sqlite_empty_search_ms: sqlite.search.empty,
        postgres_search_ms: postgres.search.full,
        postgres_empty_search_ms: postgres.search.empty,
        interactive_ms: sqlite.interactive.full,
        empty_interactive_ms: sqlite.interactive.empty,
      },
    };
  } finally {
    await server.stop();
  }
};

export default {
  name: 'console',
  smallerIsBetter: ['search_100k', 'interactive_100k', 'audit_log_1m'],
  goals: { search_100k: 2, interactive_100k: 2 },
  run,
} satisfies Benchmark;
