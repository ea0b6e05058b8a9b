import { setTimeout as delay } from 'node:timers/promises';
import { SeededRandom } from '../support/seeded-random.ts';
import { Campaign } from '../faults/campaign/campaign-round.ts';
import { checkHistory } from '../faults/campaign/checker/check-history.ts';
import type { Violation } from '../faults/campaign/checker/round-history-types.ts';
import { keepEvidence } from '../faults/campaign/keep-evidence.ts';
import { MOST_MEMBERS } from '../faults/campaign/load/access-writer.ts';
import { ApiClient } from '../faults/campaign/load/retrying-api-client.ts';
import type { CampaignDatabase } from '../faults/campaign/system/campaign-system.ts';
import { type UsageSeries, type SeriesSummary, summarizeSeries, warmUpOf } from './measure/series-statistics.ts';
import { type HistorySize, UsageSampler } from './measure/usage-sampler.ts';

const HOUR_MS = 3_600_000;
const LOAD_FACTOR = 50;
/** Of a hotel; see docs/developer/fleet.md. */
const PRESENTATIONS_PER_DOOR_AND_HOUR = 12;
const CHANGES_PER_DOOR_AND_HOUR = 1;
const READ_PAUSE_MS = 1000;
/** Each sample collects the garbage of all parts. */
const SAMPLE_MS = 30_000;
/** A short run has at least this number of samples. */
const FEWEST_SAMPLES = 12;

export interface SoakOptions {
  readonly seed: number;
  readonly minutes: number;
  readonly database: CampaignDatabase;
  /** Ends the load; then the run is checked. */
  readonly signal?: AbortSignal;
  readonly log: (line: string) => void;
}

export interface SoakReport {
  readonly seed: number;
  readonly database: CampaignDatabase;
  readonly minutes: number;
  readonly presentations: number;
  readonly grants: number;
  readonly changes: number;
  readonly events: number;
  readonly reads: number;
  /** Disk of the bridge that keeps events, deliveries and deleted objects, for each event. */
  readonly history_bytes_per_event: number;
  /** Bytes by which files have grown after the warm-up, the largest ones. */
  readonly grown_files: Readonly<Record<string, number>>;
  readonly series: readonly SeriesSummary[];
  readonly violations: readonly Violation[];
}

export interface SoakResult {
  readonly report: SoakReport;
  readonly series: readonly UsageSeries[];
}

/** Everything stayed flat, and no promise was broken. */
export const hasPassed = ({ series, violations }: SoakReport): boolean =>
  violations.length === 0 && series.every(({ flat }) => flat);

/** Pauses of a Poisson process. */
const exponentialPause = (random: SeededRandom, mean_ms: number) => (): number =>
  -Math.log(1 - random.next()) * mean_ms;

const historyPerEvent = (history: readonly HistorySize[], warmUp_ms: number): number => {
  const measured = history.filter(({ at }) => at >= warmUp_ms);
  const [first, last] = [measured[0], measured.at(-1)];
  if (first === undefined || last === undefined || last.events === first.events) return 0;
  return Math.round((last.bytes - first.bytes) / (last.events - first.events));
};

/** An integration that lists members and events in turn. Returns the number of requests. */
const readLists = async (api: ApiClient, isOver: () => boolean): Promise<number> => {
  let reads = 0;
  for (; !isOver(); reads++) {
    await api.call('GET', reads % 2 === 0 ? '/members?limit=100' : '/events?limit=100');
    await delay(READ_PAUSE_MS);
  }
  return reads;
};

/** Runs the whole system under load without faults, and samples what its processes use. */
export const runSoak = async ({ seed, minutes, database, signal, log }: SoakOptions): Promise<SoakResult> => {
  const campaign = await Campaign.open(database, seed, { hasSmallDisks: false, members: MOST_MEMBERS });
  try {
    const { system } = campaign;
    const random = new SeededRandom(seed ^ 0x50a4);
    const meanPause = (perDoorAndHour: number): number =>
      HOUR_MS / (LOAD_FACTOR * perDoorAndHour * system.controllers.length);
    const pauses = {
      presentation_ms: exponentialPause(random, meanPause(PRESENTATIONS_PER_DOOR_AND_HOUR)),
      change_ms: exponentialPause(random, meanPause(CHANGES_PER_DOOR_AND_HOUR)),
    };
    const duration_ms = minutes * 60_000;
    const interval_ms = Math.min(SAMPLE_MS, duration_ms / FEWEST_SAMPLES);
    const sampler = new UsageSampler(system);
    let [isOver, reads, elapsed_ms] = [false, 0, 0];
    log(`System with ${database} is ready. Seed ${seed}, ${minutes} minutes`);
    const history = await campaign.runLoad(pauses, async () => {
      const reading = readLists(new ApiClient(system.httpUrl('api'), system.token), () => isOver);
      reading.catch(() => undefined);
      const start = performance.now();
      for (; elapsed_ms < duration_ms && signal?.aborted !== true; elapsed_ms = performance.now() - start) {
        await sampler.sample();
        await delay(interval_ms, undefined, { signal }).catch(() => undefined);
      }
      isOver = true;
      reads = await reading;
    });
    const violations = checkHistory(history);
    const warmUp_ms = warmUpOf(elapsed_ms);
    const series = sampler.series.map(one => summarizeSeries(one, warmUp_ms));
    for (const { kind, detail } of violations) log(`${kind}: ${detail}`);
    if (violations.length > 0) log(`Data and logs: ${keepEvidence(system, history, { series: sampler.series })}`);
    return {
      series: sampler.series,
      report: {
        seed,
        database,
        minutes: Number((elapsed_ms / 60_000).toFixed(2)),
        presentations: history.presentations.length,
        grants: history.presentations.filter(({ outcome }) => outcome === 'granted').length,
        changes: history.writes.length,
        events: history.api.length,
        reads,
        history_bytes_per_event: historyPerEvent(sampler.history, warmUp_ms),
        grown_files: sampler.grownFiles(warmUp_ms),
        series,
        violations,
      },
    };
  } finally {
    await campaign.close();
  }
};
