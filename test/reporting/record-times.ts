import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestTimes } from './run-summary-reporter.ts';

/** Writes what the last whole run cost to `docs/developer/tests.md`: `npm test`, then `npm run docs:test-times`. */
const root = join(import.meta.dirname, '../..');
const page = join(root, 'docs/developer/tests.md');
const LISTED = 30;

const times = JSON.parse(readFileSync(join(root, 'test-results/times.json'), 'utf8')) as TestTimes;

/** `test/api`, `packages/drivers`, `cloud-bridge`. */
const areaOf = (file: string): string =>
  file
    .split('/')
    .slice(0, /^(?:test|packages)\//.test(file) ? 2 : 1)
    .join('/');

const slowest = new Set(times.files.slice(0, LISTED));
const sum = (files: TestTimes['files']): number => files.reduce((total, { seconds }) => total + seconds, 0);
const total = sum(times.files);

const rows = [...Map.groupBy(times.files, ({ file }) => areaOf(file))]
  .toSorted(([, a], [, b]) => sum(b) - sum(a))
  .map(([area, files]) => {
    const listed = files
      .filter(file => slowest.has(file))
      .map(({ file, seconds }) => `${file.slice(area.length + 1).replace(/\.test\.tsx?$/, '')} ${Math.round(seconds)}`);
    return `| \`${area}\` | ${files.length} | ${Math.round(sum(files))} | ${listed.join(', ')} |`;
  });

const record = [
  `\`${times.command}\` on ${times.processors} cores: ${times.files.length} files, ${Math.round(total)} s summed over ` +
    `its workers, ${Math.floor(times.wallSeconds / 60)}:${String(times.wallSeconds % 60).padStart(2, '0')} minutes of wall time.`,
  '',
  '| area | files | seconds | of the 30 slowest files (seconds) |',
  '|---|---|---|---|',
  ...rows,
].join('\n');

const heading = `## ${times.command}`;
const text = readFileSync(page, 'utf8');
const start = text.indexOf(`${heading}\n`);
if (start < 0) throw new Error(`${page} has no heading "${heading}"`);
const next = text.indexOf('\n## ', start + 1);
const rest = next < 0 ? '' : text.slice(next);
writeFileSync(page, `${text.slice(0, start)}${heading}\n\n${record}\n${rest}`);
