/** The result of a benchmark. Both sides of a ratio are measured in the same run, because machines are noisy. */
export interface Measurement {
  readonly figures: Readonly<Record<string, number>>;
  readonly ratios: Readonly<Record<string, number>>;
}

export interface Benchmark {
  readonly name: string;
  /** Ratios of which less is better. Ratios whose name ends in `_time` need not be listed. */
  readonly smallerIsBetter?: readonly string[];
  /** The wanted value of a ratio. */
  readonly goals?: Readonly<Record<string, number>>;
  run(): Promise<Measurement>;
}

export const isSmallerBetter = ({ smallerIsBetter = [] }: Benchmark, ratio: string): boolean =>
  ratio.endsWith('_time') || smallerIsBetter.includes(ratio);

/** `--scale 0.02` runs a benchmark with small amounts, to show that it works. Its results mean nothing. */
export const scaled = (amount: number, smallest = 1): number =>
  Math.max(smallest, Math.round(amount * Number(process.env['LINTEL_BENCH_SCALE'] ?? 1)));

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN;

export const p95 = (values: readonly number[]): number => percentile(values, 0.95);
export const p99 = (values: readonly number[]): number => percentile(values, 0.99);
