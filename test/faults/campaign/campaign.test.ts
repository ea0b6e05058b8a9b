import { describe, expect, it } from 'vitest';
import { runSeed } from '../../support/test-iterations-and-seed.ts';
import { runCampaign } from './run-campaign.ts';

/** About a minute on two cores. `npm run faults` runs longer campaigns. */
const FAULTS = 120;

describe('the whole system under a seeded schedule of faults', { tags: ['slow'] }, () => {
  it('keeps its promises', { timeout: 1_200_000 }, async () => {
    const lines: string[] = [];
    const log = (line: string): void => void lines.push(line);
    const report = await runCampaign({ seed: runSeed(), faults: FAULTS, minutes: null, keepsGoing: true, log });
    if (report.violations.length > 0) throw new Error(lines.join('\n'));
    expect(report.fault_count).toBe(FAULTS);
    expect(report.grants).toBeGreaterThan(0);
    expect(report.denials).toBeGreaterThan(0);
    expect(report.writes).toBeGreaterThan(0);
  });
});
