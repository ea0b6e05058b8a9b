import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import { Counter, Gauge, Histogram, type Metric, Registry } from 'prom-client';
import type { Storage } from '../storage/open-storage.ts';
import { type BackupMetricsSource, createBackupMetrics } from './backup-metrics.ts';
import { createFleetMetrics } from './fleet-metrics.ts';
import { createProcessMetrics } from './process-metrics.ts';
import { RequestDurationHistogram } from './request-duration-histogram.ts';
import { createStorageMetrics } from './disk-space-metrics.ts';

interface CommitSource {
  /** Calls the listener after each commit with the number of writes in it. */
  onGroupCommitted(listener: (writes: number) => void): void;
}

export interface MetricsSources {
  readonly storage: Storage;
  readonly commits: CommitSource;
  readonly clock: () => number;
  /** Null without scheduled backups. */
  readonly backups: BackupMetricsSource | null;
  readonly dataDir: string;
}

const connectionMetric = (storage: Storage) =>
  new Gauge<string>({
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

const statementMetric = ({ monitor }: Storage) => {
  const durations = new Histogram({
    name: 'lintel_database_query_duration_seconds',
    help: 'Time of database statements',
    buckets: [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers: [],
  });
  monitor.onStatement(seconds => durations.observe(seconds));
  return durations;
};

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

export type UplinkMessageOutcome = 'accepted' | 'rejected' | 'dropped';
export type WebhookDeliveryOutcome = 'delivered' | 'retry' | 'failed';

/** Prometheus metrics. Labels never contain ids or other caller input. */
export class BridgeMetrics {
  readonly #registry = new Registry();
  readonly #durations = new RequestDurationHistogram();
  readonly #lag = monitorEventLoopDelay({ resolution: 20 });
  readonly #refusedLogins = new Counter<string>({
    name: 'lintel_mqtt_refused_logins_total',
    help: 'Refused logins at the embedded MQTT broker',
    labelNames: ['reason'],
    registers: [],
  });
  readonly #uplinkMessages = new Counter<string>({
    name: 'lintel_uplink_messages_total',
    help: 'Messages of controllers and gateways; kind "events" counts batches of events',
    labelNames: ['kind', 'result'],
    registers: [],
  });
  readonly #eventLag = new Histogram({
    name: 'lintel_event_lag_seconds',
    help: 'Time from an event at a door until it is stored',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 3600, 86_400],
    registers: [],
  });
  readonly #deliveries = new Counter<string>({
    name: 'lintel_webhook_attempts_total',
    help: 'Attempts to deliver an event to a webhook, by outcome',
    labelNames: ['outcome'],
    registers: [],
  });
  readonly #certificateExpiry = new Gauge<string>({
    name: 'lintel_tls_certificate_expiry_timestamp_seconds',
    help: 'When the certificate of a TLS listener expires',
    labelNames: ['listener'],
    registers: [],
  });
  readonly #acmeFailures = new Counter({
    name: 'lintel_acme_failures_total',
    help: 'Failed attempts to obtain a certificate from the ACME server',
    registers: [],
  });
  readonly #removedRows = new Counter<string>({
    name: 'lintel_retention_removed_rows_total',
    help: 'Rows that were deleted after their retention time',
    labelNames: ['table'],
    registers: [],
  });
  readonly #defaultPartitionRows = new Gauge({
    name: 'lintel_event_default_partition_rows',
    help: 'Events whose month has no partition, up to 100,000; always 0 with SQLite',
    registers: [],
  });

  constructor({ storage, commits, clock, backups, dataDir }: MetricsSources) {
    for (const outcome of ['delivered', 'retry', 'failed']) this.#deliveries.inc({ outcome }, 0);
    for (const table of ['events', 'webhook_deliveries']) this.#removedRows.inc({ table }, 0);
    const metrics: Metric[] = [
      ...createProcessMetrics(this.#lag),
      connectionMetric(storage),
      statementMetric(storage),
      groupMetric(commits),
      this.#refusedLogins,
      this.#uplinkMessages,
      this.#eventLag,
      this.#deliveries,
      this.#certificateExpiry,
      this.#acmeFailures,
      this.#removedRows,
      this.#defaultPartitionRows,
      ...createFleetMetrics(storage, clock),
      ...createStorageMetrics(dataDir, storage.monitor),
      ...(backups === null ? [] : createBackupMetrics(backups)),
    ];
    for (const metric of metrics) this.#registry.registerMetric(metric);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** `reason` is one of a fixed set of texts. */
  countRefusedLogin(reason: string): void {
    this.#refusedLogins.inc({ reason });
  }

  /** `kind` is a message kind of the protocol. */
  countUplinkMessage(kind: string, result: UplinkMessageOutcome): void {
    this.#uplinkMessages.inc({ kind, result });
  }

  /** `seconds` from the event until it was stored. A clock that is ahead counts as 0. */
  observeEventLag(seconds: number): void {
    this.#eventLag.observe(Math.max(0, seconds));
  }

  countDelivery(outcome: WebhookDeliveryOutcome): void {
    this.#deliveries.inc({ outcome });
  }

  setCertificateExpiry(listener: 'https' | 'mqtts', expiresAt: Date): void {
    this.#certificateExpiry.set({ listener }, expiresAt.getTime() / 1000);
  }

  countAcmeFailure(): void {
    this.#acmeFailures.inc();
  }

  countRemovedRows(table: 'events' | 'webhook_deliveries', rows: number): void {
    this.#removedRows.inc({ table }, rows);
  }

  setDefaultPartitionRows(rows: number): void {
    this.#defaultPartitionRows.set(rows);
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
