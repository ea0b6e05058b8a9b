import { readFileSync, writeFileSync } from 'node:fs';
import type { Measurement } from '../harness/benchmark-types-and-statistics.ts';

interface BenchmarkMachine {
  readonly cpu: string;
  readonly cores: number;
  readonly memory_gb: number;
  readonly arch: string;
  readonly node: string;
}

/** One run of a benchmark, as kept in `docs/developer/benchmark-results.jsonl`. */
export interface RecordedRun extends Measurement {
  readonly name: string;
  /** A day such as 2026-11-17. */
  readonly date: string;
  readonly machine: BenchmarkMachine;
  /** The load average of the last minute before the run: work of others. */
  readonly load: number;
  readonly smaller_is_better: readonly string[];
  /** The ratio that is wanted, by name. */
  readonly goals: Readonly<Record<string, number>>;
}

/** Older runs of a benchmark on the same machine are dropped. */
const KEPT_RUNS = 5;

const isSameSeries = (a: RecordedRun, b: RecordedRun): boolean =>
  a.name === b.name && a.machine.cpu === b.machine.cpu && a.machine.arch === b.machine.arch;

/** One run in each line. */
export const readRecordedRuns = (file: string): RecordedRun[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as RecordedRun);

export const addRecordedRun = (runs: readonly RecordedRun[], run: RecordedRun): RecordedRun[] => {
  const earlier = runs.filter(other => isSameSeries(other, run)).slice(-(KEPT_RUNS - 1));
  const kept = runs.filter(other => !isSameSeries(other, run) || earlier.includes(other));
  return [...kept, run].toSorted((a, b) => a.name.localeCompare(b.name));
};

export const writeRecordedRuns = (file: string, runs: readonly RecordedRun[]): void =>
  writeFileSync(file, runs.map(run => `${JSON.stringify(run)}\n`).join(''));
