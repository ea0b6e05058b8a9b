import { median } from '../../bench/harness/benchmark-types-and-statistics.ts';

/** `heap`: after a full garbage collection. */
export type SeriesKind = 'heap' | 'memory' | 'handles' | 'threads' | 'disk' | 'backlog';

/** A value at a time in milliseconds since the start of the load. */
export type Point = readonly [at: number, value: number];

export interface UsageSeries {
  readonly part: string;
  readonly kind: SeriesKind;
  readonly points: readonly Point[];
}

export interface SeriesSummary {
  readonly name: string;
  readonly median: number;
  readonly first: number;
  readonly last: number;
  readonly slope_per_hour: number;
  readonly flat: boolean;
}

const HOUR_MS = 3_600_000;
const MEGABYTE = 2 ** 20;
const ALLOWED_SHARE = 0.05;
/** Growth below this value is noise. */
const allowedGrowth: Readonly<Record<SeriesKind, number>> = {
  heap: 2 * MEGABYTE,
  memory: 8 * MEGABYTE,
  handles: 4,
  threads: 4,
  disk: 2 * MEGABYTE,
  backlog: 20,
};

/** The first quarter of a run: caches fill, and the heaps grow. */
export const warmUpOf = (duration_ms: number): number => duration_ms / 4;

/** Theil–Sen estimator: the median of the slopes of all pairs of points. Outliers and a single step do not change it. */
export const robustSlope = (points: readonly Point[]): number =>
  median(points.flatMap(([t, v], index) => points.slice(index + 1).map(([at, value]) => (value - v) / (at - t))));

/** `flat`: the growth over the time after the warm-up is within 5 % of the median, or below the noise of its kind. */
export const summarizeSeries = ({ part, kind, points }: UsageSeries, warmUp_ms: number): SeriesSummary => {
  const measured = points.filter(([at]) => at >= warmUp_ms);
  const slope = robustSlope(measured);
  const [start, first] = measured[0] ?? [0, Number.NaN];
  const [end, last] = measured.at(-1) ?? [0, Number.NaN];
  const middle = median(measured.map(([, value]) => value));
  const growth = slope * (end - start);
  return {
    name: `${part} ${kind}`,
    median: middle,
    first,
    last,
    slope_per_hour: slope * HOUR_MS,
    flat: growth <= Math.max(ALLOWED_SHARE * middle, allowedGrowth[kind]),
  };
};
