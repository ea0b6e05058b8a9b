/** What one benchmark measures. Ratios compare things timed in the same run: a noisy machine slows both sides. */
export interface Measurement {
  readonly figures: Readonly<Record<string, number>>;
  readonly ratios: Readonly<Record<string, number>>;
}

export interface Benchmark {
  readonly name: string;
  run(): Promise<Measurement>;
}
