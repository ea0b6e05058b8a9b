import { LatencyHistogram, type HistogramCounts } from './latency-histogram.ts';

const counters = [
  /** Currently connected; online (the bridge has responded to the hello); serving a verified snapshot. */
  'connected',
  'greeted',
  'serving',
  'taps',
  'committed',
  /** Events that the bridge has not committed. */
  'waiting',
  'lost_lines',
  'refused_connections',
  'refused_messages',
  'wrong_digests',
  'resent_batches',
  'revocations',
  'actions',
] as const;
type FleetCounter = (typeof counters)[number];

const clocks = ['started_at', 'last_greeted_at', 'last_serving_at', 'last_committed_at'] as const;
type FleetClock = (typeof clocks)[number];

const histograms = ['connect', 'sync', 'commit'] as const;
type FleetHistogram = (typeof histograms)[number];

/** Metrics as a message between processes. Clocks are monotonic milliseconds of the machine; 0 means never. */
export interface FleetMetricsSnapshot {
  readonly counts: Readonly<Record<FleetCounter, number>>;
  readonly clocks: Readonly<Record<FleetClock, number>>;
  readonly histograms: Readonly<Record<FleetHistogram, HistogramCounts>>;
}

const record = <K extends string, V>(keys: readonly K[], value: (key: K) => V): Record<K, V> =>
  Object.fromEntries(keys.map(key => [key, value(key)])) as Record<K, V>;

/** Counters, times and latencies of a fleet. */
export class FleetMetrics {
  readonly counts = record(counters, () => 0);
  readonly clocks = record(clocks, () => 0);
  readonly histograms = record(histograms, () => new LatencyHistogram());

  merge(other: FleetMetricsSnapshot): void {
    for (const key of counters) this.counts[key] += other.counts[key];
    for (const key of histograms) this.histograms[key].merge(other.histograms[key]);
    const { started_at, ...ends } = other.clocks;
    const starts = [this.clocks.started_at, started_at].filter(at => at > 0);
    this.clocks.started_at = starts.length === 0 ? 0 : Math.min(...starts);
    for (const key of Object.keys(ends) as (keyof typeof ends)[])
      this.clocks[key] = Math.max(this.clocks[key], ends[key]);
  }

  snapshot(): FleetMetricsSnapshot {
    return {
      counts: { ...this.counts },
      clocks: { ...this.clocks },
      histograms: record(histograms, key => this.histograms[key].counts()),
    };
  }
}

/** Monotonic time, comparable between the processes of a machine. */
export const monotonicNowMs = (): number => Number(process.hrtime.bigint()) / 1e6;
