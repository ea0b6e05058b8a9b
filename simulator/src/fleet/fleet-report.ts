import type { FleetMetrics } from './fleet-metrics.ts';
import type { LatencyHistogram } from './latency-histogram.ts';

const rounded = (value: number | null): number | null => (value === null ? null : Number(value.toPrecision(4)));

const latencies = (histogram: LatencyHistogram) => ({
  p50_ms: rounded(histogram.quantile(0.5)),
  p90_ms: rounded(histogram.quantile(0.9)),
  p99_ms: rounded(histogram.quantile(0.99)),
  p999_ms: rounded(histogram.quantile(0.999)),
  longest_ms: rounded(histogram.longest),
});

/** Facts about a run that are not in the metrics of the controllers. */
export interface FleetRunFacts {
  readonly devices: number;
  readonly claimed: number;
  readonly organizationId: string;
  readonly siteId: string;
  readonly broker: string;
  /** Duration of the taps. */
  readonly tapSeconds: number;
  /** Memory of the bridge in bytes, before and after the controllers connected. Null if unknown. */
  readonly memory: { readonly before: number; readonly after: number } | null;
}

export type FleetRunReport = ReturnType<typeof createFleetReport>;

export const createFleetReport = (metrics: FleetMetrics, facts: FleetRunFacts) => {
  const { counts, clocks, histograms } = metrics;
  const since = (end: number): number | null => rounded(end === 0 ? null : (end - clocks.started_at) / 1000);
  const { devices, memory, tapSeconds } = facts;
  return {
    devices,
    claimed: facts.claimed,
    organization_id: facts.organizationId,
    site_id: facts.siteId,
    broker: facts.broker,
    connected: counts.greeted,
    serving: counts.serving,
    connect: { seconds: since(clocks.last_greeted_at), ...latencies(histograms.connect) },
    sync: { seconds: since(clocks.last_serving_at), ...latencies(histograms.sync) },
    taps: {
      made: counts.taps,
      committed: counts.committed,
      waiting: counts.waiting,
      per_second: rounded(tapSeconds === 0 ? 0 : counts.committed / tapSeconds),
      ...latencies(histograms.commit),
    },
    lost_lines: counts.lost_lines,
    refused_connections: counts.refused_connections,
    refused_messages: counts.refused_messages,
    wrong_digests: counts.wrong_digests,
    resent_batches: counts.resent_batches,
    revocations: counts.revocations,
    actions: counts.actions,
    bridge: {
      rss_mb: rounded(memory === null ? null : memory.after / 2 ** 20),
      kb_per_controller: rounded(memory === null ? null : (memory.after - memory.before) / 1024 / devices),
    },
  };
};

/** Whether all controllers were connected and no event was lost. */
export const hasFleetRunPassed = ({
  devices,
  connected,
  serving,
  taps,
  refused_messages,
  wrong_digests,
}: FleetRunReport): boolean =>
  connected === devices && serving === devices && taps.waiting === 0 && refused_messages === 0 && wrong_digests === 0;

const formatNumber = (value: number | null): string => (value === null ? '–' : value.toLocaleString('en'));

const formatLatencies = ({ p50_ms, p99_ms, longest_ms }: FleetRunReport['connect'] | FleetRunReport['taps']): string =>
  `p50 ${formatNumber(p50_ms)} ms, p99 ${formatNumber(p99_ms)} ms, longest ${formatNumber(longest_ms)} ms`;

const errorLabels = [
  ['lost_lines', 'connections lost'],
  ['refused_connections', 'connections refused'],
  ['refused_messages', 'messages rejected'],
  ['wrong_digests', 'snapshots with a wrong digest'],
  ['resent_batches', 'batches resent'],
] as const;

export const formatFleetReport = (report: FleetRunReport): string => {
  const { devices, connected, serving, connect, sync, taps, bridge, claimed, revocations, actions } = report;
  const rows: [string, string][] = [
    ['Controllers', `${formatNumber(devices)}${claimed > 0 ? ` (${formatNumber(claimed)} newly claimed)` : ''}`],
    ['Connected', `${formatNumber(connected)} in ${formatNumber(connect.seconds)} s: ${formatLatencies(connect)}`],
    ['Serving', `${formatNumber(serving)} after ${formatNumber(sync.seconds)} s`],
    [
      'Taps',
      `${formatNumber(taps.made)}, committed ${formatNumber(taps.committed)}, ${formatNumber(taps.per_second)} per second`,
    ],
    ['Commit latency', formatLatencies(taps)],
  ];
  if (taps.waiting > 0) rows.push(['Not committed', formatNumber(taps.waiting)]);
  if (revocations > 0) rows.push(['Revocations', `${formatNumber(revocations)} received`]);
  if (actions > 0) rows.push(['Actions', `${formatNumber(actions)} requested by the bridge`]);
  if (bridge.kb_per_controller !== null) {
    rows.push([
      'Bridge memory',
      `${formatNumber(bridge.rss_mb)} MB, ${formatNumber(bridge.kb_per_controller)} kB per controller`,
    ]);
  }
  for (const [key, label] of errorLabels)
    if (report[key] > 0) rows.push(['Errors', `${formatNumber(report[key])} ${label}`]);
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `${name.padEnd(width)}  ${text}`).join('\n');
};
