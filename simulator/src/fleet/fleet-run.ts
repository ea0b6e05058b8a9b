import { setTimeout as delay } from 'node:timers/promises';
import type { BridgeClient } from './bridge-client.ts';
import type { ClaimedFleet } from './claim-fleet.ts';
import type { TapOrder } from './fleet-crew.ts';
import { FleetProcesses } from './fleet-processes.ts';
import { type FleetReport, fleetReport } from './fleet-report.ts';
import { type FleetTally, monotonicMs } from './fleet-tally.ts';

const LOOK_MS = 500;
/** Without anybody more who is connected, or any event more that is committed, it is not worth waiting any longer. */
const STANDSTILL_MS = 30_000;
/** For what was tapped before somebody stopped it. */
const LAST_WAIT_MS = 2000;

export interface RunTerms {
  readonly fleet: ClaimedFleet;
  readonly keys: string;
  readonly broker: string;
  readonly client: BridgeClient;
  readonly taps: TapOrder;
  readonly durationMs: number;
  readonly onProgress: (line: string) => void;
  /** Ends the tapping early; what was tapped is still committed and reported. */
  readonly signal: AbortSignal;
}

/** Resident memory, where the bridge is on this machine and says it. */
const memoryOf = async (client: BridgeClient): Promise<number | null> => {
  const page = await client.page('/metrics').catch(() => null);
  const bytes = /^process_resident_memory_bytes (\S+)$/m.exec(page ?? '')?.[1];
  return bytes === undefined ? null : Number(bytes);
};

type Look = (tally: FleetTally) => { readonly isDone: boolean; readonly progress: number; readonly line: string };

/** Looks at the fleet until it is done, or stands still for too long. */
const watch = async (processes: FleetProcesses, { onProgress, signal }: RunTerms, look: Look): Promise<FleetTally> => {
  let [progress, since] = [-1, monotonicMs()];
  for (;;) {
    const tally = await processes.report();
    const seen = look(tally);
    onProgress(seen.line);
    if (seen.isDone) return tally;
    if (seen.progress !== progress) [progress, since] = [seen.progress, monotonicMs()];
    if (signal.aborted || monotonicMs() - since > STANDSTILL_MS) return tally;
    await delay(LOOK_MS, null, { signal }).catch(() => undefined);
  }
};

const milliseconds = (value: number | null): string =>
  value === null ? '–' : `${value.toFixed(value < 10 ? 1 : 0)} ms`;

const tapLine = ({ counts, histograms: { commit } }: FleetTally, perSecond: number): string =>
  [
    `${counts.connected} connected`,
    `${perSecond.toFixed(0)} taps/s`,
    `${counts.committed} committed`,
    `${counts.waiting} waiting`,
    `p50 ${milliseconds(commit.quantile(0.5))}, p99 ${milliseconds(commit.quantile(0.99))}`,
  ].join('  ');

/** Answers how long it tapped, in seconds. */
const tapFor = async (processes: FleetProcesses, terms: RunTerms): Promise<number> => {
  const start = monotonicMs();
  const end = start + terms.durationMs;
  await processes.startTaps(terms.taps);
  let [at, taps] = [start, 0];
  while (monotonicMs() < end && !terms.signal.aborted) {
    await delay(Math.min(LOOK_MS * 2, end - monotonicMs()), null, { signal: terms.signal }).catch(() => undefined);
    const tally = await processes.report();
    const now = monotonicMs();
    terms.onProgress(tapLine(tally, ((tally.counts.taps - taps) / (now - at)) * 1000));
    [at, taps] = [now, tally.counts.taps];
  }
  await processes.stopTaps();
  return (monotonicMs() - start) / 1000;
};

/** A connect storm, slices, a while of taps, and the wait until all of them are committed. */
export const runFleet = async (terms: RunTerms): Promise<FleetReport> => {
  const { fleet, keys, broker, client } = terms;
  const devices = fleet.members.length;
  const ids = fleet.members.map(({ device_id }) => device_id);
  const before = await memoryOf(client);
  const processes = await FleetProcesses.start({ keys, ids, broker });
  try {
    await processes.connect();
    await watch(processes, terms, ({ counts }) => ({
      isDone: counts.greeted === devices && counts.serving === devices,
      progress: counts.greeted + counts.serving,
      line: `${counts.greeted} of ${devices} connected, ${counts.serving} serving`,
    }));
    const after = await memoryOf(client);
    const tapSeconds = await tapFor(processes, terms);
    const patient = { ...terms, signal: AbortSignal.timeout(LAST_WAIT_MS) };
    const tally = await watch(processes, terms.signal.aborted ? patient : terms, ({ counts }) => ({
      isDone: counts.waiting === 0,
      progress: counts.committed,
      line: `${counts.waiting} events wait for the bridge`,
    }));
    return fleetReport(tally, {
      devices,
      claimed: fleet.claimed,
      organizationId: fleet.home.organization_id,
      siteId: fleet.home.site_id,
      broker,
      tapSeconds,
      memory: before === null || after === null ? null : { before, after },
    });
  } finally {
    await processes.stop();
  }
};
