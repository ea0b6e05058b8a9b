import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/* `npm run soak`: the whole system under load without faults. See docs/reliability.md. */

// Set before the first process starts: without it, starting a part takes twice as long.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'lintel-compile-cache');

const { values } = parseArgs({
  options: {
    json: { type: 'boolean' },
    record: { type: 'boolean' },
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string' },
    database: { type: 'string', default: 'sqlite' },
  },
});
const { database } = values;
const minutes = Number(values.minutes);
if (database !== 'sqlite' && database !== 'postgres') {
  process.stderr.write(`Unknown database: ${database}. Use sqlite or postgres\n`);
  process.exit(2);
}
if (!(minutes > 0)) {
  process.stderr.write('--minutes must be a number above 0\n');
  process.exit(2);
}
const { hasPassed, runSoak } = await import('./run-soak.ts');
const { recordSoak } = await import('./results/record-soak.ts');
const { toText } = await import('./results/soak-report-text.ts');
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
const result = await runSoak({
  signal: stopping.signal,
  seed: Number(values.seed ?? Math.floor(Math.random() * 2 ** 31)),
  minutes,
  database,
  log: line => void process.stderr.write(`${line}\n`),
});
const { report } = result;
if (values.record === true && !stopping.signal.aborted)
  recordSoak(join(import.meta.dirname, '../../docs'), result, new Date().toISOString().slice(0, 10));
process.stdout.write(values.json === true ? `${JSON.stringify(report)}\n` : toText(report));
process.exit(hasPassed(report) ? 0 : 1);
