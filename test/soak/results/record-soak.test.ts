import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type UsageSeries, summarizeSeries, warmUpOf } from '../measure/series-statistics.ts';
import { hasPassed, type SoakResult } from '../run-soak.ts';
import { recordSoak } from './record-soak.ts';
import { toText } from './soak-report-text.ts';

const MEGABYTE = 2 ** 20;
const MINUTES = 60;

/** `growth`: megabytes of memory that the second controller gains in the hour. */
const resultOf = (growth: number): SoakResult => {
  const series = ['bridge', 'gateway', 'controller 0', 'controller 1'].flatMap(part =>
    (['heap', 'memory', 'handles', 'threads', 'disk'] as const).map((kind): UsageSeries => {
      const slope = part === 'controller 1' && kind === 'memory' ? growth / MINUTES : 0;
      const points = Array.from({ length: MINUTES }, (_, minute) => {
        const value = ['heap', 'memory', 'disk'].includes(kind) ? (100 + slope * minute) * MEGABYTE : 30;
        return [minute * 60_000, value] as const;
      });
      return { part, kind, points };
    }),
  );
  const counts = { presentations: 6000, grants: 2500, changes: 500, events: 6500, reads: 3600 };
  const summaries = series.map(one => summarizeSeries(one, warmUpOf(MINUTES * 60_000)));
  const run = { seed: 7, database: 'sqlite', minutes: MINUTES, history_bytes_per_event: 1500 } as const;
  return { series, report: { ...run, ...counts, grown_files: {}, series: summaries, violations: [] } };
};

const record = (result: SoakResult): { page: string; plots: string[] } => {
  const docs = mkdtempSync(join(tmpdir(), 'lintel-soak-docs-'));
  mkdirSync(join(docs, 'images'));
  cpSync(join(import.meta.dirname, '../../../docs/reliability.md'), join(docs, 'reliability.md'));
  recordSoak(docs, result, '2026-11-17');
  const read = (name: string): string => readFileSync(join(docs, name), 'utf8');
  const page = read('reliability.md');
  const plots = [...page.matchAll(/\((images\/soak-[^)]+)\)/g)].map(([, plot = '']) => read(plot));
  rmSync(docs, { recursive: true });
  return { page, plots };
};

describe('a recorded soak', () => {
  it('writes a table and a plot of memory, handles and disk with a line for each process', () => {
    const { page, plots } = record(resultOf(0));
    expect(page).toContain('| bridge | 100 MB, +0 MB/h | 100 MB, +0 MB/h | 30, +0/h | 30, +0/h | 100 MB, +0 MB/h |');
    expect(page).toContain('6,000 presentations');
    expect(plots.length).toBe(4);
    for (const plot of plots) expect(plot.match(/<polyline/g)?.length).toBe(4);
  });

  it('says that a run of less than an hour is too short', () => {
    const { report, series } = resultOf(0);
    expect(record({ report, series }).page).not.toContain('too short for a result');
    expect(record({ report: { ...report, minutes: 10 }, series }).page).toContain('too short for a result');
  });

  it('names the controller series that is not flat', () => {
    const { page } = record(resultOf(30));
    expect(page).toContain('| controller that grows most | 100 MB, +0 MB/h | 119 MB, +30 MB/h, **not flat** |');
  });
});

describe('the verdict of a soak', () => {
  it('fails if one series is not flat or a promise was broken', () => {
    expect(hasPassed(resultOf(0).report)).toBe(true);
    expect(hasPassed(resultOf(30).report)).toBe(false);
    const violations = [{ kind: 'event_lost' as const, detail: 'evt_1' }];
    expect(hasPassed({ ...resultOf(0).report, violations })).toBe(false);
    expect(toText({ ...resultOf(30).report, violations })).toMatch(/not flat[^]*VIOLATION event_lost: evt_1/);
  });
});
