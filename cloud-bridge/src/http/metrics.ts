import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Storage } from '../storage/open-storage.ts';
import { ApiError } from './api-error.ts';
import { isLoopbackRequest } from './loopback-request.ts';
import { RequestDurations } from './request-durations.ts';

interface CommitSource {
  /** Calls the listener after each commit with the number of writes in it. */
  onGroupCommitted(listener: (writes: number) => void): void;
}

export interface MetricsSources {
  readonly storage: Storage;
  readonly commits: CommitSource;
  /** If false, only requests from this machine can read the metrics. */
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
    help: 'Event loop delay since the last scrape',
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
    help: 'Resident memory of the process',
    registers: [],
    collect() {
      this.set(process.memoryUsage.rss());
    },
  }),
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'User and system CPU time',
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
    help: 'Database connections, and requests that are waiting for a connection',
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
    help: 'Writes per committed transaction',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers: [],
  });
  commits.onGroupCommitted(size => groups.observe(size));
  return groups;
};

/** Serves Prometheus metrics at `/metrics`. Labels never contain ids or other caller input. */
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
    if (!sources.isPublic && !isLoopbackRequest(request)) throw new ApiError('not_found', 'Not found');
    return reply.header('content-type', registry.contentType).send(`${durations.text()}${await registry.metrics()}`);
  });
};
