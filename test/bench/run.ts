import { readdirSync } from 'node:fs';
import { arch, cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Benchmark, isSmallerBetter, type Measurement } from './harness/benchmark-types-and-statistics.ts';
import { addRecordedRun, readRecordedRuns, writeRecordedRuns } from './results/recorded-run.ts';
import { writeResultsPage } from './results/results-page.ts';

const available = readdirSync(import.meta.dirname)
  .filter(file => file.endsWith('.ts') && file !== 'run.ts')
  .map(file => file.slice(0, -3));

const machine = {
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memory_gb: Math.round(totalmem() / 2 ** 30),
  arch: arch(),
  node: process.version,
};

const load = async (name: string): Promise<Benchmark> => {
  const module = (await import(`./${name}.ts`)) as { default: Benchmark };
  return module.default;
};

const rounded = (value: number): number => Number(value.toPrecision(6));

const directionOf = (key: string, benchmark: Benchmark): string =>
  isSmallerBetter(benchmark, key) ? 'smaller is better' : 'larger is better';

const table = (benchmark: Benchmark, { figures, ratios }: Measurement): string => {
  const rows = [
    ...Object.entries(ratios).map(
      ([key, value]) => [`${key} (ratio)`, `${rounded(value)} × (${directionOf(key, benchmark)})`] as const,
    ),
    ...Object.entries(figures).map(([key, value]) => [key, rounded(value).toLocaleString('en')] as const),
  ];
  const width = Math.max(...rows.map(([key]) => key.length));
  return [benchmark.name, ...rows.map(([key, value]) => `  ${key.padEnd(width)}  ${value}`)].join('\n');
};

const docs = join(import.meta.dirname, '../../docs');
const resultsFile = join(docs, 'developer/benchmark-results.jsonl');

/** Adds the run to the results in the docs. */
const record = (benchmark: Benchmark, load: number, { ratios, figures }: Measurement): void => {
  const run = {
    name: benchmark.name,
    date: new Date().toISOString().slice(0, 10),
    machine,
    load,
    smaller_is_better: Object.keys(ratios).filter(key => isSmallerBetter(benchmark, key)),
    goals: benchmark.goals ?? {},
    ratios: Object.fromEntries(Object.entries(ratios).map(([key, value]) => [key, rounded(value)])),
    figures: Object.fromEntries(Object.entries(figures).map(([key, value]) => [key, rounded(value)])),
  };
  const runs = addRecordedRun(readRecordedRuns(resultsFile), run);
  writeRecordedRuns(resultsFile, runs);
  writeResultsPage(docs, runs);
};

const options = { json: { type: 'boolean' }, scale: { type: 'string' }, record: { type: 'boolean' } } as const;
const { values, positionals } = parseArgs({ allowPositionals: true, options });
if (values.scale !== undefined && values.record === true) {
  process.stderr.write('--record and --scale cannot be used together: such results mean nothing\n');
  process.exit(2);
}
if (values.scale !== undefined) process.env['LINTEL_BENCH_SCALE'] = values.scale;
const unknown = positionals.filter(name => !available.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`Unknown benchmark: ${unknown.join(', ')}. Available: ${available.join(', ')}\n`);
  process.exit(2);
}
for (const name of positionals.length > 0 ? positionals : available) {
  const benchmark = await load(name);
  const [before = 0] = loadavg();
  const { figures, ratios } = await benchmark.run();
  if (values.record === true) record(benchmark, before, { figures, ratios });
  const output = values.json
    ? JSON.stringify({ name, machine, figures, ratios })
    : table(benchmark, { figures, ratios });
  process.stdout.write(`${output}\n`);
}
