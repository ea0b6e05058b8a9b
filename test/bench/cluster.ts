import { Client } from 'pg';
import { BridgeCluster } from '../support/bridge/bridge-cluster.ts';
import { startPostgres } from '../support/bridge/postgres.ts';
import { getRequest, postRequest, requestsPerSecond } from './api-fixture/http-load.ts';
import { type Benchmark, median, scaled } from './harness/benchmark-types-and-statistics.ts';
import { cpuSeconds, cpuSecondsWithChildren, parentOf } from './cluster-fixture/cpu-time.ts';

const BRIDGES = ['one', 'two', 'three'];
/** Writes of one organization are ordered, so that only several organizations can use several bridges. */
const ORGANIZATIONS = 12;
const CONNECTIONS = 24;
const ROUNDS = scaled(5);
const ROUND_MS = scaled(3000, 200);
/** One write in five requests. */
const WRITE_EVERY = 5;

interface Tenant {
  readonly token: string;
  readonly memberId: string;
}

const createTenants = async (cluster: BridgeCluster): Promise<Tenant[]> => {
  const tenants: Tenant[] = [];
  for (let n = 0; n < ORGANIZATIONS; n++) {
    const members = [{ key: 'ann', name: 'Ann' }];
    const ids = await cluster.seed('one', { organization: { key: `org${n}`, name: `Org ${n}` }, members });
    tenants.push({ token: await cluster.token('one', ids[`org${n}`]!), memberId: ids['ann']! });
  }
  return tenants;
};

const nextRequestOf = (tenants: readonly Tenant[]) => {
  let count = 0;
  return (): string => {
    const { token, memberId } = tenants[count++ % tenants.length]!;
    return count % WRITE_EVERY === 0
      ? postRequest('/v2/members', token, { name: `Guest ${count}` })
      : getRequest(`/v2/members/${memberId}`, token);
  };
};

const postmasterPid = async (database: string): Promise<number> => {
  const client = new Client(database);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const pid = parentOf(rows[0]!.pid);
  await client.end();
  return pid;
};

interface CpuTimes {
  readonly bridges: number;
  readonly postgres: number;
  readonly load: number;
}

/** Throughput with the first 1, 2 and 3 bridges of the same cluster, alternately. */
const run: Benchmark['run'] = async () => {
  const postgres = await startPostgres(['-c', 'max_connections=200']);
  const database = await postgres.newDatabase();
  const cluster = await BridgeCluster.open({ database, args: ['--rate-limit', '1000000', '--log-level', 'error'] });
  try {
    for (const name of BRIDGES) await cluster.start(name);
    const tenants = await createTenants(cluster);
    const postmaster = await postmasterPid(database);
    const cpu = (): CpuTimes => ({
      bridges: [...cluster.bridges.values()].reduce((sum, bridge) => sum + cpuSeconds(bridge.process.pid!), 0),
      postgres: cpuSecondsWithChildren(postmaster),
      load: cpuSeconds(process.pid),
    });
    const measure = async (bridges: number, milliseconds: number): Promise<number> => {
      const names = BRIDGES.slice(0, bridges);
      const rates = await Promise.all(
        names.map(name => {
          const port = Number(new URL(cluster.bridges.get(name)!.ready['http']!).port);
          return requestsPerSecond(port, CONNECTIONS / bridges, milliseconds, nextRequestOf(tenants));
        }),
      );
      return rates.reduce((sum, rate) => sum + rate, 0);
    };
    for (const bridges of [1, 2, 3]) await measure(bridges, ROUND_MS);
    const perSecond = new Map<number, number[]>([1, 2, 3].map(bridges => [bridges, []]));
    const before = cpu();
    let requests = 0;
    const start = performance.now();
    for (let round = 0; round < ROUNDS; round++) {
      for (const [bridges, rates] of perSecond) {
        const rate = await measure(bridges, ROUND_MS);
        rates.push(rate);
        requests += (rate * ROUND_MS) / 1000;
      }
    }
    const seconds = (performance.now() - start) / 1000;
    const after = cpu();
    const rates = [1, 2, 3].map(bridges => median(perSecond.get(bridges)!));
    const perRequest = (part: keyof CpuTimes): number => ((after[part] - before[part]) * 1000) / requests;
    return {
      ratios: { bridges_2: rates[1]! / rates[0]!, bridges_3: rates[2]! / rates[0]! },
      figures: {
        per_second_1: rates[0]!,
        per_second_2: rates[1]!,
        per_second_3: rates[2]!,
        bridge_cpu_ms_per_request: perRequest('bridges'),
        postgres_cpu_ms_per_request: perRequest('postgres'),
        load_cpu_ms_per_request: perRequest('load'),
        busy_cores:
          (['bridges', 'postgres', 'load'] as const).reduce((sum, part) => sum + after[part] - before[part], 0) /
          seconds,
      },
    };
  } finally {
    await cluster.close();
    await postgres.stop();
  }
};

export default { name: 'cluster', run } satisfies Benchmark;
