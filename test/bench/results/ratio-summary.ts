import { median } from '../harness/benchmark-types-and-statistics.ts';
import type { RecordedRun } from './recorded-run.ts';

/** A ratio of a benchmark over its recorded runs on one machine. */
export interface RatioSummary {
  readonly benchmark: string;
  readonly ratio: string;
  readonly isSmallerBetter: boolean;
  readonly median: number;
  readonly least: number;
  readonly most: number;
  readonly runs: number;
  readonly goal: number | null;
}

export const hasReachedGoal = ({ goal, median: value, isSmallerBetter }: RatioSummary): boolean =>
  goal === null || (isSmallerBetter ? value <= goal : value >= goal);

/** `runs`: of one machine. */
export const summarizeRatios = (runs: readonly RecordedRun[]): RatioSummary[] =>
  [...Map.groupBy(runs, ({ name }) => name)].flatMap(([benchmark, own]) => {
    const newest = own.at(-1)!;
    return Object.keys(newest.ratios).map(ratio => {
      const values = own.flatMap(run => run.ratios[ratio] ?? []);
      return {
        benchmark,
        ratio,
        isSmallerBetter: newest.smaller_is_better.includes(ratio),
        median: median(values),
        least: Math.min(...values),
        most: Math.max(...values),
        runs: values.length,
        goal: newest.goals[ratio] ?? null,
      };
    });
  });
