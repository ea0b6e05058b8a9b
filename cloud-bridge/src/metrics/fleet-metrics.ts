import { faultKinds } from '@lintel/access-core/alerts/fault-kinds';
import { Gauge } from 'prom-client';
import type { Storage } from '../storage/open-storage.ts';
import { doorAlarmKinds, type FleetStatistics, loadFleetStatistics } from './fleet-statistics.ts';

/** Several Prometheus servers may scrape one bridge, so the statistics are reused for this long. */
const REUSE_MS = 15_000;
const WAIT_MS = 2000;

/** Loads the statistics at most every 15 seconds. Keeps the last ones while the database is away. */
export class FleetStatisticsCache {
  readonly #load: () => Promise<FleetStatistics>;
  readonly #now: () => number;
  #loadedAt = Number.NEGATIVE_INFINITY;
  #loading: Promise<void> | null = null;
  latest: FleetStatistics | null = null;
  isDatabaseUp = false;

  constructor(load: () => Promise<FleetStatistics>, now: () => number = () => performance.now()) {
    this.#load = load;
    this.#now = now;
  }

  /** Resolves after two seconds at the latest, so that a scrape does not hang with the database. */
  async refresh(): Promise<void> {
    if (this.#now() - this.#loadedAt < REUSE_MS && this.isDatabaseUp) return;
    this.#loading ??= this.#reload();
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>(resolve => {
      timer = setTimeout(() => {
        this.isDatabaseUp = false;
        resolve();
      }, WAIT_MS);
    });
    await Promise.race([this.#loading, timeout]);
    clearTimeout(timer);
  }

  async #reload(): Promise<void> {
    try {
      this.latest = await this.#load();
      this.#loadedAt = this.#now();
      this.isDatabaseUp = true;
    } catch {
      this.isDatabaseUp = false;
    } finally {
      this.#loading = null;
    }
  }
}

const simpleGauges: Readonly<Record<string, readonly [help: string, valueOf: (fleet: FleetStatistics) => number]>> = {
  lintel_controllers_behind: [
    'Controllers and gateways that have not confirmed the current revision',
    fleet => fleet.behind,
  ],
  lintel_incidents_open: ['Incidents that no administrator has acknowledged', fleet => fleet.openIncidents],
  lintel_webhooks_failing: ['Enabled webhooks that have accepted nothing for a day', fleet => fleet.failingWebhooks],
  lintel_webhook_backlog_deliveries: [
    'Webhook deliveries that are due or wait for a retry, counted up to 100,000',
    fleet => fleet.pendingDeliveries,
  ],
  lintel_webhook_queue_leases: ['Webhook queues that a bridge delivers at the moment', fleet => fleet.queueLeases],
};

/** Gauges about all organizations. With several bridges, each reports the same numbers. */
export const createFleetMetrics = (storage: Storage, clock: () => number): Gauge[] => {
  const cache = new FleetStatisticsCache(() => loadFleetStatistics(storage, clock()));
  const gauge = (name: string, help: string, labelNames: string[], set: (of: Gauge, fleet: FleetStatistics) => void) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers: [],
      async collect() {
        await cache.refresh();
        if (cache.latest !== null) set(this, cache.latest);
      },
    });
  return [
    new Gauge({
      name: 'lintel_database_up',
      help: '1 if the database answers',
      registers: [],
      async collect() {
        await cache.refresh();
        this.set(cache.isDatabaseUp ? 1 : 0);
      },
    }),
    gauge('lintel_controllers', 'Claimed controllers and gateways', ['state'], (of, { connected, offline }) => {
      of.set({ state: 'connected' }, connected);
      of.set({ state: 'offline' }, offline);
    }),
    gauge('lintel_controller_faults', 'Faults that controllers and gateways report', ['kind'], (of, { faults }) => {
      for (const kind of [...faultKinds, 'other']) of.set({ kind }, faults.get(kind) ?? 0);
    }),
    gauge('lintel_door_alarms', 'Doors in an alarm state', ['kind'], (of, { doorAlarms }) => {
      for (const kind of doorAlarmKinds) of.set({ kind }, doorAlarms.get(kind) ?? 0);
    }),
    ...Object.entries(simpleGauges).map(([name, [help, valueOf]]) =>
      gauge(name, help, [], (of, fleet) => of.set(valueOf(fleet))),
    ),
  ];
};
