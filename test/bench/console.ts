import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../support/bridge/postgres.ts';
import buildPages from '../support/browser/built-pages.ts';
import { requestsPerSecond } from './api-fixture/http-load.ts';
import { startServer } from './api-fixture/start-server.ts';
import { type Benchmark, median, scaled } from './harness/benchmark-types-and-statistics.ts';
import { withCleanup } from './harness/run-with-cleanup.ts';
import { measureActivity } from './console-fixture/measure-activity-requests.ts';
import { MemberScreenBrowser } from './console-fixture/member-list-browser.ts';
import {
  type OrganizationLogin,
  type PreparedOrganizations,
  prepareOrganizations,
} from './console-fixture/prepare-organizations.ts';
import { EVENTS } from './console-fixture/seed-activity.ts';

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
const withBridge = <T>(
  database: string | undefined,
  measure: (port: number, organizations: PreparedOrganizations) => Promise<T>,
): Promise<T & { readonly seedSeconds: number }> =>
  withCleanup(async defer => {
    const dataDir = mkdtempSync(join(tmpdir(), 'lintel-bench-'));
    defer(() => rmSync(dataDir, { recursive: true, force: true }));
    const started = performance.now();
    const organizations = await prepareOrganizations(dataDir, database);
    const seedSeconds = (performance.now() - started) / 1000;
    const server = await startServer({ kind: 'lintel', dataDir, database });
    defer(() => server.stop());
    return { ...(await measure(server.port, organizations)), seedSeconds };
  });

const measureRequests = async (port: number, organizations: PreparedOrganizations) => {
  const found: Latencies[] = [];
  for (const text of searches) found.push(await compare(organizations, ROUNDS, requestLatency(port, searchPath(text))));
  const auditLog = await compare(organizations, ROUNDS, requestLatency(port, auditLogPath));
  return { search: slowest(found), auditLog, activity: await measureActivity(port, organizations) };
};

type Activity = Awaited<ReturnType<typeof measureActivity>>;

const slowestOf = (activity: Activity): number => Math.max(...Object.values(activity).map(({ full }) => full));

/** `sqlite_denials_p95_ms` and so on. */
const activityFigures = (engine: string, activity: Activity): Record<string, number> =>
  Object.fromEntries(
    Object.entries(activity).flatMap(([name, { full, empty }]) => [
      [`${engine}_${name}_p95_ms`, full],
      [`${engine}_${name}_vs_empty`, full / empty],
    ]),
  );

const run: Benchmark['run'] = () =>
  withCleanup(async defer => {
    await buildPages();
    const sqlite = await withBridge(undefined, async (port, organizations) => ({
      ...(await measureRequests(port, organizations)),
      ...(await measureScreen(port, organizations)),
    }));
    const server = await startPostgres(['-c', 'max_wal_size=8GB', '-c', 'maintenance_work_mem=256MB']);
    defer(() => server.stop());
    const postgres = await withBridge(await server.newDatabase(), measureRequests);
    return {
      ratios: {
        search_100k: ratioOf(slowest([sqlite.search, postgres.search])),
        interactive_100k: ratioOf(sqlite.interactive),
        audit_log_10m: ratioOf(slowest([sqlite.auditLog, postgres.auditLog])),
        activity_10m: ratioOf(slowest([...Object.values(sqlite.activity), ...Object.values(postgres.activity)])),
      },
      figures: {
        events: EVENTS,
        sqlite_seed_s: sqlite.seedSeconds,
        postgres_seed_s: postgres.seedSeconds,
        first_load_kb: sqlite.firstLoadBytes / 1000,
        sqlite_search_ms: sqlite.search.full,
        sqlite_empty_search_ms: sqlite.search.empty,
        postgres_search_ms: postgres.search.full,
        postgres_empty_search_ms: postgres.search.empty,
        interactive_ms: sqlite.interactive.full,
        empty_interactive_ms: sqlite.interactive.empty,
        sqlite_slowest_activity_p95_ms: slowestOf(sqlite.activity),
        postgres_slowest_activity_p95_ms: slowestOf(postgres.activity),
        ...activityFigures('sqlite', sqlite.activity),
        ...activityFigures('postgres', postgres.activity),
      },
    };
  });

export default {
  name: 'console',
  smallerIsBetter: ['search_100k', 'interactive_100k', 'audit_log_10m', 'activity_10m'],
  goals: { search_100k: 2, interactive_100k: 2 },
  run,
} satisfies Benchmark;
