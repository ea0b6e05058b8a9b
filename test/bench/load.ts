import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { FleetProcesses, type HistogramCounts, LatencyHistogram } from '@lintel/simulator/testing';
import { startBridge } from '../support/processes/bridge-process.ts';
import { type Benchmark, p99, scaled } from './harness/benchmark-types-and-statistics.ts';
import { cpuSeconds } from './cluster-fixture/cpu-time.ts';
import { createFleetData } from './fleet-fixture/create-claimed-fleet-data.ts';
import { Flood } from './load-fixture/request-flood.ts';
import { AlarmMails, MailServerProcess } from './load-fixture/alarm-mails.ts';
import { addOrganization } from './load-fixture/add-organization.ts';

const CONTROLLERS = 20;
/** Of the hotel together: 40 a second, much more than 20 doors ever need. */
const TAPS_PER_HOUR = 7200;
/** More than the bridge can serve: each has a request open all the time. */
const FLOOD_CONNECTIONS = scaled(500, 20);
const MEMBERS = 200;
/** As many as the bridge permits for one organization, all of which begin in the past. */
const STREAMS = scaled(200, 20);
const STREAMS_PER_TOKEN = 20;
const EVENTS = scaled(3000, 30);
const WRITES_AT_ONCE = 10;
const WAITING_MAILS = scaled(1200, 60);
const MEASURE_MS = scaled(10_000, 300);
const PAUSE_MS = 10;

class Probe {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(url: string, token: string) {
    this.#url = url;
    this.#headers = { authorization: `Bearer ${token}` };
  }

  async #get(path: string): Promise<number> {
    const start = performance.now();
    const response = await fetch(`${this.#url}${path}`, { headers: this.#headers });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`The other organization got ${response.status}`);
    return performance.now() - start;
  }

  async createMembers(count: number): Promise<void> {
    const headers = { ...this.#headers, 'content-type': 'application/json' };
    for (let index = 0; index < count; index++)
      await fetch(`${this.#url}/members`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ name: `Guest ${index}` }),
      });
  }

  /** Adds this many events, with several tokens because each has a rate limit. Returns the id of the first. */
  async createEvents(count: number, tokens: readonly string[]): Promise<string> {
    const headers = { ...this.#headers, 'content-type': 'application/json' };
    const write = async (token: string): Promise<void> => {
      const own = { ...headers, authorization: `Bearer ${token}` };
      for (let written = 0; written < count; written += WRITES_AT_ONCE)
        await fetch(`${this.#url}/tags`, { method: 'POST', headers: own, body: '{"name":"VIP"}' });
    };
    await Promise.all(tokens.slice(-WRITES_AT_ONCE).map(write));
    const response = await fetch(`${this.#url}/events?object.type=tag&sort=created_at:asc&limit=1`, { headers });
    const { data } = (await response.json()) as { readonly data: readonly { readonly id: string }[] };
    return data[0]!.id;
  }

  /** Requests one after the other. Returns their times in milliseconds. */
  async measure(milliseconds: number): Promise<number[]> {
    const times: number[] = [];
    for (const end = performance.now() + milliseconds; performance.now() < end; await delay(PAUSE_MS))
      times.push(await this.#get('/members?limit=20'));
    return times;
  }
}

const histogramBetween = (before: HistogramCounts, after: HistogramCounts): LatencyHistogram => {
  const earlier = new Map(before.buckets);
  const added = new LatencyHistogram();
  const buckets = after.buckets.map(([bucket, count]) => [bucket, count - (earlier.get(bucket) ?? 0)] as const);
  added.merge({ buckets: buckets.filter(([, count]) => count > 0), longest: after.longest });
  return added;
};

/** The 99th percentile of requests of one organization, and of taps until they are committed. Ends after the first tap. */
const measureOthers = async (probe: Probe, fleet: FleetProcesses) => {
  const before = (await fleet.report()).histograms.commit.counts();
  const times: number[] = [];
  for (;;) {
    times.push(...(await probe.measure(MEASURE_MS)));
    const after = (await fleet.report()).histograms.commit.counts();
    const tap = histogramBetween(before, after).quantile(0.99);
    if (tap !== null) return { request: p99(times), tap };
  }
};

const run: Benchmark['run'] = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-bench-load-'));
  const keys = join(folder, 'fleet.keys');
  const ids = await createFleetData(folder, keys, CONTROLLERS);
  const floodTokens = await addOrganization(folder, FLOOD_CONNECTIONS);
  const [token = ''] = await addOrganization(folder, 1);
  const alarms = await AlarmMails.prepare(folder);
  const mails = await MailServerProcess.start();
  const { smtpUrl, from } = mails.options;
  const mailOptions = ['--smtp-url', smtpUrl, '--mail-from', from, '--mail-limit', '100000'];
  const bridge = await startBridge(folder, '--log-level', 'error', ...mailOptions);
  const fleet = await FleetProcesses.start({ keys, ids, broker: bridge.ready['mqtt']! });
  const api = `${bridge.ready['http']!}/v2`;
  try {
    for (const each of [token, floodTokens[0]!]) await new Probe(api, each).createMembers(MEMBERS);
    const probe = new Probe(api, token);
    await fleet.connect();
    await fleet.startTaps({ kind: 'rhythm', plan: { tapsPerHour: TAPS_PER_HOUR, dayMs: null } });
    await probe.measure(MEASURE_MS / 5);
    const since = await new Probe(api, floodTokens[0]!).createEvents(EVENTS, floodTokens);
    const quiet = await measureOthers(probe, fleet);
    const port = Number(new URL(api).port);
    const flood = await Flood.ofRequests({ port, path: '/v2/members?limit=100', tokens: floodTokens });
    const before = await flood.report();
    const cpuBefore = cpuSeconds(bridge.process.pid!);
    const start = performance.now();
    const busy = await measureOthers(probe, fleet);
    const after = await flood.report();
    const seconds = (performance.now() - start) / 1000;
    const cpu = cpuSeconds(bridge.process.pid!) - cpuBefore;
    const served = after.served - before.served;
    await alarms.flood(new URL(api).origin, WAITING_MAILS);
    const streams = await Flood.ofStreams({
      url: `${api.replace('http', 'ws')}/events/stream?since=${since}&expand=object_tag`,
      tokens: Array.from({ length: STREAMS }, (_, index) => floodTokens[Math.floor(index / STREAMS_PER_TOKEN)]!),
      events: EVENTS - 1,
    });
    const streamStart = performance.now();
    const alarm = alarms.measure(new URL(api).origin, mails);
    const crowded = await measureOthers(probe, fleet);
    const alarm_mail_s = await alarm;
    const { events: streamed, refused } = await streams.report();
    const streamSeconds = (performance.now() - streamStart) / 1000;
    await streams.stop();
    await flood.stop();
    const stoppedAt = performance.now();
    while ((await probe.measure(1))[0]! > 2 * quiet.request) await delay(PAUSE_MS);
    const recovery_s = (performance.now() - stoppedAt) / 1000;
    return {
      ratios: {
        request_p99_time: busy.request / quiet.request,
        tap_p99_time: busy.tap / quiet.tap,
        streams_request_p99_time: crowded.request / quiet.request,
      },
      figures: {
        request_p99_ms: busy.request,
        quiet_request_p99_ms: quiet.request,
        tap_p99_ms: busy.tap,
        quiet_tap_p99_ms: quiet.tap,
        served_per_second: served / seconds,
        cpu_ms_per_served_request: (1000 * cpu) / served,
        shed_per_second: (after.shed - before.shed) / seconds,
        unexpected_responses: after.others,
        recovery_s,
        flood_connections: FLOOD_CONNECTIONS,
        streams_request_p99_ms: crowded.request,
        streams_tap_p99_ms: crowded.tap,
        streams: STREAMS,
        streamed_events_per_second: streamed / streamSeconds,
        refused_streams: refused,
        waiting_mails: WAITING_MAILS,
        alarm_mail_s,
      },
    };
  } finally {
    await fleet.stop();
    await bridge.stop();
    mails.stop();
    rmSync(folder, { recursive: true });
  }
};

export default {
  name: 'load',
  goals: { request_p99_time: 3, tap_p99_time: 3, streams_request_p99_time: 3 },
  run,
} satisfies Benchmark;
