import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/* `npm run faults`: the fault campaign. See docs/reliability.md. */

// Set before the first process starts: without it, starting a part takes twice as long.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'lintel-compile-cache');

const { values } = parseArgs({
  options: {
    json: { type: 'boolean' },
    'keep-going': { type: 'boolean' },
    minutes: { type: 'string' },
    faults: { type: 'string' },
    seed: { type: 'string' },
    database: { type: 'string' },
  },
});
const { runCampaign, toText } = await import('./run-campaign.ts');
const { database } = values;
if (database !== undefined && database !== 'sqlite' && database !== 'postgres') {
  process.stderr.write(`Unknown database: ${database}. Use sqlite or postgres\n`);
  process.exit(2);
}
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
const report = await runCampaign({
  signal: stopping.signal,
  seed: Number(values.seed ?? Math.floor(Math.random() * 2 ** 31)),
  minutes: values.minutes === undefined ? null : Number(values.minutes),
  faults: values.faults === undefined ? null : Number(values.faults),
  database,
  keepsGoing: values['keep-going'] === true,
  log: line => void process.stderr.write(`${line}\n`),
});
process.stdout.write(values.json === true ? `${JSON.stringify(report)}\n` : toText(report));
process.exit(report.violations.length === 0 ? 0 : 1);
