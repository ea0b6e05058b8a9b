import { readdirSync } from 'node:fs';
import { arch, cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import type { Benchmark, Measurement } from './benchmark.ts';

const infrastructure = new Set(['run.ts', 'benchmark.ts']);

const available = readdirSync(import.meta.dirname)
  .filter(file => file.endsWith('.ts') && !infrastructure.has(file))
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

const directionOf = (key: string, { smallerIsBetter = [] }: Benchmark): string =>
  key.endsWith('_time') || smallerIsBetter.includes(key) ? 'smaller is better' : 'larger is better';

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

const options = { json: { type: 'boolean' }, scale: { type: 'string' } } as const;
const { values, positionals } = parseArgs({ allowPositionals: true, options });
if (values.scale !== undefined) process.env['LINTEL_BENCH_SCALE'] = values.scale;
const unknown = positionals.filter(name => !available.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`Unknown benchmark: ${unknown.join(', ')}. Available: ${available.join(', ')}\n`);
  process.exit(2);
}
for (const name of positionals.length > 0 ? positionals : available) {
  const benchmark = await load(name);
  const { figures, ratios } = await benchmark.run();
  const output = values.json
    ? JSON.stringify({ name, machine, figures, ratios })
    : table(benchmark, { figures, ratios });
  process.stdout.write(`${output}\n`);
}
