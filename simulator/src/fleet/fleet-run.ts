import { setTimeout as delay } from 'node:timers/promises';
import type { ClaimedFleet } from './ensure-claimed-fleet.ts';
import type { FleetTapMode } from './fleet-worker.ts';
import { FleetProcesses } from './fleet-processes.ts';
import { type FleetRunReport, createFleetReport } from './fleet-report.ts';
import { type FleetMetrics, monotonicNowMs } from './fleet-metrics.ts';

const POLL_MS = 500;
/** Gives up after this time without another connection or committed event. */
const STALL_TIMEOUT_MS = 30_000;
/** Wait for uncommitted events after an interrupted run. */
const FINAL_WAIT_MS = 2000;

export interface FleetRunOptions {
  readonly fleet: ClaimedFleet;
  readonly keys: string;
  readonly broker: string;
  /** Metrics of the bridge (`lintel bridge --metrics-port`), for its memory; null if they are not available. */
  readonly metricsUrl: string | null;
  readonly taps: FleetTapMode;
  readonly durationMs: number;
  readonly onProgress: (line: string) => void;
  /** Ends the taps early. The report includes the taps made so far. */
  readonly signal: AbortSignal;
}

/** Resident memory of the bridge. Null if its metrics are not accessible. */
const memoryOf = async (metricsUrl: string | null): Promise<number | null> => {
  if (metricsUrl === null) return null;
  const page = await fetch(metricsUrl).then(
    response => response.text(),
    () => '',
  );
  const bytes = /^process_resident_memory_bytes (\S+)$/m.exec(page)?.[1];
  return bytes === undefined ? null : Number(bytes);
};

type Progress = (metrics: FleetMetrics) => {
  readonly isDone: boolean;
  readonly progress: number;
  readonly text: string;
};

/** Polls the fleet until it is done or makes no progress. */
const waitFor = async (
  processes: FleetProcesses,
  { onProgress, signal }: FleetRunOptions,
  progressOf: Progress,
): Promise<FleetMetrics> => {
  let [lastProgress, since] = [-1, monotonicNowMs()];
  for (;;) {
    const metrics = await processes.report();
    const current = progressOf(metrics);
    onProgress(current.text);
    if (current.isDone) return metrics;
    if (current.progress !== lastProgress) [lastProgress, since] = [current.progress, monotonicNowMs()];
    if (signal.aborted || monotonicNowMs() - since > STALL_TIMEOUT_MS) return metrics;
    await delay(POLL_MS, null, { signal }).catch(() => undefined);
  }
};

const milliseconds = (value: number | null): string =>
  value === null ? '–' : `${value.toFixed(value < 10 ? 1 : 0)} ms`;

const formatTaps = ({ counts, histograms: { commit } }: FleetMetrics, perSecond: number): string =>
  [
    `${counts.connected} connected`,
    `${perSecond.toFixed(0)} taps/s`,
    `${counts.committed} committed`,
    `${counts.waiting} waiting`,
    `p50 ${milliseconds(commit.quantile(0.5))}, p99 ${milliseconds(commit.quantile(0.99))}`,
  ].join('  ');

/** Resolves with the duration of the taps in seconds. */
const tapFor = async (processes: FleetProcesses, options: FleetRunOptions): Promise<number> => {
  const start = monotonicNowMs();
  const end = start + options.durationMs;
  await processes.startTaps(options.taps);
  let [at, taps] = [start, 0];
  while (monotonicNowMs() < end && !options.signal.aborted) {
    await delay(Math.min(POLL_MS * 2, end - monotonicNowMs()), null, { signal: options.signal }).catch(() => undefined);
    const metrics = await processes.report();
    const now = monotonicNowMs();
    options.onProgress(formatTaps(metrics, ((metrics.counts.taps - taps) / (now - at)) * 1000));
    [at, taps] = [now, metrics.counts.taps];
  }
  await processes.stopTaps();
  return (monotonicNowMs() - start) / 1000;
};

/** Connects all controllers, waits for their snapshots, taps for a while, and waits until all events are committed. */
export const runFleet = async (options: FleetRunOptions): Promise<FleetRunReport> => {
  const { fleet, keys, broker, metricsUrl } = options;
  const devices = fleet.devices.length;
  const ids = fleet.devices.map(({ device_id }) => device_id);
  const before = await memoryOf(metricsUrl);
  const processes = await FleetProcesses.start({ keys, ids, broker });
  try {
    await processes.connect();
    await waitFor(processes, options, ({ counts }) => ({
      isDone: counts.greeted === devices && counts.serving === devices,
      progress: counts.greeted + counts.serving,
      text: `${counts.greeted} of ${devices} connected, ${counts.serving} serving`,
    }));
    const after = await memoryOf(metricsUrl);
    const tapSeconds = await tapFor(processes, options);
    const finalWait = { ...options, signal: AbortSignal.timeout(FINAL_WAIT_MS) };
    const metrics = await waitFor(processes, options.signal.aborted ? finalWait : options, ({ counts }) => ({
      isDone: counts.waiting === 0,
      progress: counts.committed,
      text: `${counts.waiting} events waiting for the bridge`,
    }));
    return createFleetReport(metrics, {
      devices,
      claimed: fleet.claimed,
      organizationId: fleet.enrollment.organization_id,
      siteId: fleet.enrollment.site_id,
      broker,
      tapSeconds,
      memory: before === null || after === null ? null : { before, after },
    });
  } finally {
    await processes.stop();
  }
};
