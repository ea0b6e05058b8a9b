import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { plotRatios } from '../bench/results/ratio-plot.ts';
import { hasReachedGoal, summarizeRatios } from '../bench/results/ratio-summary.ts';
import { addRecordedRun, readRecordedRuns, type RecordedRun } from '../bench/results/recorded-run.ts';
import { writeResultsPage } from '../bench/results/results-page.ts';

const docs = join(import.meta.dirname, '../../docs');
const machine = { cpu: 'Cortex-A76', cores: 4, memory_gb: 8, arch: 'arm64', node: 'v24.0.0' };
const runOf = (ratio: number, name = 'fleet'): RecordedRun => ({
  name,
  date: '2026-11-17',
  machine,
  load: 0.1,
  smaller_is_better: ['connect_time'],
  goals: { connect_time: 3 },
  ratios: { connect_time: ratio },
  figures: { connect_s: 12.5 },
});

describe('the results of the benchmarks', () => {
  it('are the recorded ones in the docs', () => {
    const folder = mkdtempSync(join(tmpdir(), 'lintel-bench-docs-'));
    mkdirSync(join(folder, 'developer'));
    cpSync(join(docs, 'developer/benchmarks.md'), join(folder, 'developer/benchmarks.md'));
    writeResultsPage(folder, readRecordedRuns(join(docs, 'developer/benchmark-results.jsonl')));
    const page = readFileSync(join(folder, 'developer/benchmarks.md'), 'utf8');
    expect(page).toBe(readFileSync(join(docs, 'developer/benchmarks.md'), 'utf8'));
    for (const [, plot = ''] of page.matchAll(/\.\.\/(images\/benchmarks-[^)]+)\)/g)) {
      expect(readFileSync(join(folder, plot), 'utf8')).toBe(readFileSync(join(docs, plot), 'utf8'));
    }
    rmSync(folder, { recursive: true });
  });

  it('keep the last five runs of a machine', () => {
    let runs: RecordedRun[] = [];
    for (let ratio = 1; ratio <= 7; ratio++) runs = addRecordedRun(runs, runOf(ratio));
    runs = addRecordedRun(runs, runOf(1, 'api'));
    expect(runs.map(({ name, ratios }) => `${name} ${ratios['connect_time']}`)).toEqual([
      'api 1',
      ...[3, 4, 5, 6, 7].map(ratio => `fleet ${ratio}`),
    ]);
  });

  it('show the median with its spread, and whether the goal is reached', () => {
    const [missed] = summarizeRatios([runOf(2), runOf(4), runOf(8)]);
    expect(missed).toMatchObject({ median: 4, least: 2, most: 8, runs: 3, goal: 3, isSmallerBetter: true });
    expect(hasReachedGoal(missed!)).toBe(false);
    expect(hasReachedGoal(summarizeRatios([runOf(2)])[0]!)).toBe(true);
    expect(plotRatios([missed!], 'Ratios')).toContain('class="median missed"');
  });
});
