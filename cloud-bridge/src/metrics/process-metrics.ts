import { readdirSync } from 'node:fs';
import type { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge } from 'prom-client';

const NANOSECONDS = 1e9;

const gauge = (name: string, help: string, read: () => number): Gauge =>
  new Gauge({
    name,
    help,
    registers: [],
    collect() {
      this.set(read());
    },
  });

/** Not on all systems. */
const countOpenFiles = (): number => {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return Number.NaN;
  }
};

/** The names that Prometheus client libraries have in common. */
export const createProcessMetrics = (lag: ReturnType<typeof monitorEventLoopDelay>): Array<Gauge | Counter> => [
  new Gauge({
    name: 'lintel_event_loop_lag_seconds',
    help: 'Event loop delay since the last scrape',
    labelNames: ['percentile'],
    registers: [],
    collect() {
      for (const percentile of [50, 99, 100]) {
        this.set({ percentile }, (lag.percentile(percentile) || 0) / NANOSECONDS);
      }
      lag.reset();
    },
  }),
  gauge('process_resident_memory_bytes', 'Resident memory of the process', () => process.memoryUsage.rss()),
  gauge('process_start_time_seconds', 'Start time of the process', () => Date.now() / 1000 - process.uptime()),
  gauge('process_open_fds', 'Open file descriptors', countOpenFiles),
  gauge('nodejs_heap_used_bytes', 'Used JavaScript heap', () => process.memoryUsage().heapUsed),
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
