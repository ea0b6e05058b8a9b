import { describe, expect, it } from 'vitest';
import { runSeed } from '../support/test-iterations-and-seed.ts';
import { runSoak } from './run-soak.ts';

/** Too short for a statement about growth. */
const MINUTES = 0.2;

describe('the whole system at 50 times real load', { tags: ['slow'] }, () => {
  it('keeps its promises, and every process is sampled', async () => {
    const lines: string[] = [];
    const log = (line: string): void => void lines.push(line);
    const { report, series } = await runSoak({ seed: runSeed(), minutes: MINUTES, database: 'sqlite', log });
    if (report.violations.length > 0) throw new Error(lines.join('\n'));
    const controllers = Array.from({ length: 10 }, (_, index) => `controller ${index}`);
    for (const kind of ['heap', 'memory', 'handles', 'threads', 'disk']) {
      const parts = series.filter(one => one.kind === kind).map(({ part }) => part);
      expect(parts.toSorted()).toEqual(['bridge', ...controllers, 'gateway']);
    }
    for (const { part, kind, points } of series) {
      expect(points.length, `${part} ${kind}`).toBeGreaterThan(2);
      if (kind !== 'backlog')
        expect(Math.min(...points.map(([, value]) => value)), `${part} ${kind}`).toBeGreaterThan(0);
    }
    expect(report.grants).toBeGreaterThan(0);
    expect(report.changes).toBeGreaterThan(0);
    expect(report.reads).toBeGreaterThan(0);
  });
});
