import type { FleetTally } from './fleet-tally.ts';
import type { LatencyHistogram } from './latency-histogram.ts';

const rounded = (value: number | null): number | null => (value === null ? null : Number(value.toPrecision(4)));

const latencies = (histogram: LatencyHistogram) => ({
  p50_ms: rounded(histogram.quantile(0.5)),
  p90_ms: rounded(histogram.quantile(0.9)),
  p99_ms: rounded(histogram.quantile(0.99)),
  p999_ms: rounded(histogram.quantile(0.999)),
  longest_ms: rounded(histogram.longest),
});

/** What the run saw beside the controllers' own tally. */
export interface RunFacts {
  readonly devices: number;
  readonly claimed: number;
  readonly organizationId: string;
  readonly siteId: string;
  readonly broker: string;
  /** How long people tapped. */
  readonly tapSeconds: number;
  /** Of the bridge, before anybody was connected and after; null where it does not say. */
  readonly memory: { readonly before: number; readonly after: number } | null;
}

export type FleetReport = ReturnType<typeof fleetReport>;

export const fleetReport = (tally: FleetTally, facts: RunFacts) => {
  const { counts, clocks, histograms } = tally;
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

/** Everybody is there, and nothing that was said is missing. */
export const isWhole = ({ devices, connected, serving, taps, refused_messages, wrong_digests }: FleetReport): boolean =>
  connected === devices && serving === devices && taps.waiting === 0 && refused_messages === 0 && wrong_digests === 0;

const number = (value: number | null): string => (value === null ? '–' : value.toLocaleString('en'));

const times = ({ p50_ms, p99_ms, longest_ms }: FleetReport['connect'] | FleetReport['taps']): string =>
  `p50 ${number(p50_ms)} ms, p99 ${number(p99_ms)} ms, longest ${number(longest_ms)} ms`;

const troubles = [
  ['lost_lines', 'lines lost'],
  ['refused_connections', 'connections refused'],
  ['refused_messages', 'messages that were not to be believed'],
  ['wrong_digests', 'slices with a wrong digest'],
  ['resent_batches', 'batches sent again'],
] as const;

export const reportInWords = (report: FleetReport): string => {
  const { devices, connected, serving, connect, sync, taps, bridge, claimed, revocations, actions } = report;
  const rows: [string, string][] = [
    ['Controllers', `${number(devices)}${claimed > 0 ? `, of which ${number(claimed)} were claimed now` : ''}`],
    ['Connected', `${number(connected)} in ${number(connect.seconds)} s: ${times(connect)}`],
    ['Serving', `${number(serving)} after ${number(sync.seconds)} s`],
    ['Taps', `${number(taps.made)}, committed ${number(taps.committed)}, ${number(taps.per_second)} a second`],
    ['To the commit', times(taps)],
  ];
  if (taps.waiting > 0) rows.push(['Not committed', number(taps.waiting)]);
  if (revocations > 0) rows.push(['Revocations', `${number(revocations)} heard`]);
  if (actions > 0) rows.push(['Opened', `${number(actions)} times from the desk`]);
  if (bridge.kb_per_controller !== null) {
    rows.push(['The bridge', `${number(bridge.rss_mb)} MB, ${number(bridge.kb_per_controller)} kB a controller`]);
  }
  for (const [key, what] of troubles) if (report[key] > 0) rows.push(['Trouble', `${number(report[key])} ${what}`]);
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `${name.padEnd(width)}  ${text}`).join('\n');
};
