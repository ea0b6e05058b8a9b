import { Campaign } from './campaign-round.ts';
import { checkHistory } from './checker/check-history.ts';
import type { RoundHistory, Violation } from './checker/round-history-types.ts';
import { keepEvidence } from './keep-evidence.ts';
import { createFaultSchedule, type InjectedFault } from './schedule/fault-schedule.ts';
import { shrinkSchedule } from './schedule/shrink-fault-schedule.ts';
import type { CampaignDatabase } from './system/campaign-system.ts';

const FAULTS_PER_ROUND = 250;
const FAULT_INTERVAL_MS = 100;
/** Then the system is built again, with the other database. */
const ROUNDS_PER_SYSTEM = 8;
const DEFAULT_MINUTES = 2;
const REPLAYS = 12;

export interface CampaignOptions {
  readonly seed: number;
  /** Ends with the round that runs then. Default: 2 minutes, without a limit of faults. */
  readonly minutes: number | null;
  readonly faults: number | null;
  /** Default: SQLite and PostgreSQL in turn. */
  readonly database?: CampaignDatabase | undefined;
  /** Goes on with a new system after a violation, without looking for the smallest schedule. */
  readonly keepsGoing?: boolean;
  /** Ends the campaign after the round that runs then. */
  readonly signal?: AbortSignal;
  readonly log: (line: string) => void;
}

export interface CampaignReport {
  readonly seed: number;
  readonly faults: Readonly<Record<string, number>>;
  readonly fault_count: number;
  readonly rounds: number;
  readonly presentations: number;
  readonly grants: number;
  readonly denials: number;
  readonly writes: number;
  readonly events: number;
  /** Events that controllers reported as lost after damage to their files. */
  readonly reported_losses: number;
  readonly violations: readonly Violation[];
  /** The smallest schedule that still fails. */
  readonly failing_schedule: readonly InjectedFault[] | null;
  readonly duration_s: number;
}

const count = (totals: Record<string, number>, key: string, by = 1): void => {
  totals[key] = (totals[key] ?? 0) + by;
};

const addHistory = (totals: Record<string, number>, history: RoundHistory): void => {
  const outcomes = history.presentations.map(({ outcome }) => outcome);
  count(totals, 'presentations', outcomes.length);
  count(totals, 'grants', outcomes.filter(outcome => outcome === 'granted').length);
  count(totals, 'denials', outcomes.filter(outcome => outcome === 'denied').length);
  count(totals, 'writes', history.writes.length);
  count(totals, 'events', history.api.length);
  for (const { lost } of history.api) if (lost !== null) count(totals, 'losses', lost.last - lost.first + 1);
};

/** Replays a part of a schedule with a new system. */
const replay = async (
  database: CampaignDatabase,
  seed: number,
  faults: readonly InjectedFault[],
): Promise<Violation[]> => {
  const campaign = await Campaign.open(database, seed);
  try {
    return checkHistory(await campaign.runRound(faults));
  } finally {
    await campaign.close();
  }
};

const databaseOf = ({ seed, database }: CampaignOptions, round: number): CampaignDatabase =>
  database ?? ((seed + Math.floor(round / ROUNDS_PER_SYSTEM)) % 2 === 0 ? 'sqlite' : 'postgres');

export const runCampaign = async (options: CampaignOptions): Promise<CampaignReport> => {
  const { seed, log } = options;
  const start = performance.now();
  const elapsed_s = (): number => Math.round((performance.now() - start) / 1000);
  const minutes = options.minutes ?? (options.faults === null ? DEFAULT_MINUTES : Number.POSITIVE_INFINITY);
  const kinds: Record<string, number> = {};
  const totals: Record<string, number> = {};
  let campaign: Campaign | null = null;
  const violations: Violation[] = [];
  let failing: readonly InjectedFault[] | null = null;
  let [round, caused] = [0, 0];
  try {
    for (; violations.length === 0 || options.keepsGoing === true; round++) {
      const rest = (options.faults ?? Number.POSITIVE_INFINITY) - caused;
      if (rest <= 0 || options.signal?.aborted === true || performance.now() - start > minutes * 60_000) break;
      if (round % ROUNDS_PER_SYSTEM === 0) {
        await campaign?.close();
        campaign = null;
      }
      const database = databaseOf(options, round);
      if (campaign === null) {
        campaign = await Campaign.open(database, seed + round);
        log(`System with ${database} is ready after ${elapsed_s()} s`);
      }
      const size = Math.min(FAULTS_PER_ROUND, rest);
      const faults = createFaultSchedule(seed + round, campaign.system.targets, size, FAULT_INTERVAL_MS);
      const history = await campaign.runRound(faults);
      const found = checkHistory(history);
      violations.push(...found);
      caused += faults.length;
      for (const { kind } of faults) count(kinds, kind);
      addHistory(totals, history);
      log(`Round ${round} (${database}): ${caused} faults, ${found.length} violations, ${elapsed_s()} s`);
      if (found.length === 0) continue;
      for (const { kind, detail } of found) log(`  ${kind}: ${detail}`);
      const evidence = keepEvidence(campaign.system, history, { schedule: faults });
      log(`Seed ${seed}, round ${round}. Data and logs: ${evidence}`);
      await campaign.close();
      campaign = null;
      if (options.keepsGoing === true) continue;
      log('Looking for the smallest schedule that fails');
      const fails = async (part: readonly InjectedFault[]): Promise<boolean> => {
        if (options.signal?.aborted === true) return false;
        const found = await replay(database, seed + round, part);
        log(`  ${part.length} faults: ${found.length} violations`);
        return found.length > 0;
      };
      failing = await shrinkSchedule(faults, fails, REPLAYS);
      log(JSON.stringify(failing));
    }
  } finally {
    await campaign?.close();
  }
  return {
    seed,
    faults: kinds,
    fault_count: caused,
    rounds: round,
    presentations: totals['presentations'] ?? 0,
    grants: totals['grants'] ?? 0,
    denials: totals['denials'] ?? 0,
    writes: totals['writes'] ?? 0,
    events: totals['events'] ?? 0,
    reported_losses: totals['losses'] ?? 0,
    violations,
    failing_schedule: failing,
    duration_s: elapsed_s(),
  };
};

export const toText = (report: CampaignReport): string => {
  const { faults, violations, failing_schedule, ...figures } = report;
  const lines = Object.entries({ ...figures, ...faults }).map(([key, value]) => `${key.padEnd(20)} ${value}`);
  for (const { kind, detail } of violations) lines.push(`VIOLATION ${kind}: ${detail}`);
  if (failing_schedule !== null) lines.push(`Smallest schedule that fails: ${JSON.stringify(failing_schedule)}`);
  return `${lines.join('\n')}\n`;
};
