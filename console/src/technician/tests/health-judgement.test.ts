import { healthStates } from '@lintel/wire-protocol/technician/health';
import { testJudgement } from '@lintel/wire-protocol/technician/tests';
import { describe, expect, it } from 'vitest';
import { judgementOf } from './health-judgement.ts';

describe('judgementOf', () => {
  it('counts a health check as passed only when its state is ok', () => {
    const judged = healthStates.map(state =>
      judgementOf({ id: 'reader:front', title: 'Reader front', state, found: 'x'.repeat(600), advice: null }),
    );
    expect(judged.map(({ result }) => result)).toEqual(['passed', 'failed', 'failed', 'skipped']);
    for (const one of judged) expect(testJudgement.safeParse(one).success).toBe(true);
  });
});
