import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Storage } from '../storage/open-storage.ts';
import { ApiError } from './api-error.ts';
import { isLocal } from './loopback.ts';
import { RequestDurations } from './request-durations.ts';

interface CommitSource {
  /** Calls the listener after each commit with the number of writes in it. */
  onGroup(listener: (writes: number) => void): void;
}

export interface MetricsSources {
  readonly storage: Storage;
  readonly commits: CommitSource;
  /** Without it only this machine may read them. */
  readonly isPublic: boolean;
}

const NANOSECONDS = 1e9;

const measureRequests = (app: FastifyInstance): RequestDurations => {
  const durations = new RequestDurations();
  app.addHook('onResponse', (request, reply, done) => {
    durations.add(request.method, request.routeOptions.url ?? 'none', reply.statusCode, reply.elapsedTime / 1000);
    done();
  });
  return durations;
};

const processMetrics = (lag: ReturnType<typeof monitorEventLoopDelay>) => [
  new Gauge({
    name: 'lintel_event_loop_lag_seconds',
    help: 'How late timers fire, since the last reading',
    labelNames: ['quantile'],
    registers: [],
    collect() {
      for (const quantile of [50, 99, 100]) {
        this.set({ quantile: quantile / 100 }, (lag.percentile(quantile) || 0) / NANOSECONDS);
      }
      lag.reset();
    },
  }),
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Memory that the process holds',
    registers: [],
    collect() {
      this.set(process.memoryUsage.rss());
    },
  }),
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time spent, user and system',
    registers: [],
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  }),
];

const connectionMetric = (storage: Storage) =>
  new Gauge({
    name: 'lintel_database_connections',
    help: 'Connections to the database, and requests that wait for one',
    labelNames: ['engine', 'state'],
    registers: [],
    collect() {
      for (const [state, count] of Object.entries(storage.connections())) {
        this.set({ engine: storage.engine, state }, count);
      }
    },
  });

const groupMetric = (commits: CommitSource) => {
  const groups = new Histogram({
    name: 'lintel_commit_group_size',
    help: 'Writes that were committed together',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers: [],
  });
  commits.onGroup(size => groups.observe(size));
  return groups;
};

/** Prometheus figures at `/metrics`. No label carries an id or anything a caller chose. */
export const serveMetrics = (app: FastifyInstance, sources: MetricsSources): void => {
  const registry = new Registry();
  const lag = monitorEventLoopDelay({ resolution: 20 });
  lag.enable();
  app.addHook('onClose', async () => {
    lag.disable();
  });
  const durations = measureRequests(app);
  for (const metric of processMetrics(lag)) registry.registerMetric(metric);
  registry.registerMetric(connectionMetric(sources.storage));
  registry.registerMetric(groupMetric(sources.commits));
  app.get('/metrics', async (request, reply) => {
    if (!sources.isPublic && !isLocal(request)) throw new ApiError('not_found', 'Not found');
    return reply.header('content-type', registry.contentType).send(`${durations.text()}${await registry.metrics()}`);
  });
};
