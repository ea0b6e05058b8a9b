/** The result of a benchmark. Both sides of a ratio are measured in the same run, because machines are noisy. */
export interface Measurement {
  readonly figures: Readonly<Record<string, number>>;
  readonly ratios: Readonly<Record<string, number>>;
}

export interface Benchmark {
  readonly name: string;
  run(): Promise<Measurement>;
}
