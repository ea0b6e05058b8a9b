import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Storage } from '../storage/open-storage.ts';
import { RequestDurations } from './request-durations.ts';

interface CommitSource {
  /** Calls the listener after each commit with the number of writes in it. */
  onGroupCommitted(listener: (writes: number) => void): void;
}

export interface MetricsSources {
  readonly storage: Storage;
  readonly commits: CommitSource;
}

const NANOSECONDS = 1e9;

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

/** Prometheus metrics. Labels never contain ids or other caller input. */
export class BridgeMetrics {
  readonly #registry = new Registry();
  readonly #durations = new RequestDurations();
  readonly #lag = monitorEventLoopDelay({ resolution: 20 });
  readonly #refusedLogins = new Counter({
    name: 'lintel_mqtt_refused_logins_total',
    help: 'Refused logins at the embedded MQTT broker',
    labelNames: ['reason'],
    registers: [],
  });

  constructor({ storage, commits }: MetricsSources) {
    for (const metric of processMetrics(this.#lag)) this.#registry.registerMetric(metric);
    this.#registry.registerMetric(connectionMetric(storage));
    this.#registry.registerMetric(groupMetric(commits));
    this.#registry.registerMetric(this.#refusedLogins);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** `reason` is one of a fixed set of texts. */
  countRefusedLogin(reason: string): void {
    this.#refusedLogins.inc({ reason });
  }

  /** Measures the requests of the server until it is closed. */
  measure(app: FastifyInstance): void {
    this.#lag.enable();
    app.addHook('onClose', async () => {
      this.#lag.disable();
    });
    app.addHook('onResponse', (request, reply, done) => {
      const { method, routeOptions } = request;
      this.#durations.add(method, routeOptions.url ?? 'none', reply.statusCode, reply.elapsedTime / 1000);
      done();
    });
  }

  async text(): Promise<string> {
    return `${this.#durations.text()}${await this.#registry.metrics()}`;
  }
}
