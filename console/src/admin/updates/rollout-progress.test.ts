import { describe, expect, it } from 'vitest';
import { selectRolloutStatusLevel, countRolloutProgress } from './rollout-progress.ts';

describe('roll-out progress', () => {
  it('counts devices by what became of them', () => {
    const progress = { waiting: 3, downloading: 1, confirmed: 4, rolled_back: 1, failed: 1 };
    expect(countRolloutProgress({ progress })).toEqual({ total: 10, confirmed: 4, failed: 2 });
    expect(countRolloutProgress({ progress: {} })).toEqual({ total: 0, confirmed: 0, failed: 0 });
  });

  it('marks failures, and a state that it does not know as neutral', () => {
    expect(['failed', 'halted', 'confirmed', 'added_later'].map(selectRolloutStatusLevel)).toEqual([
      'error',
      'error',
      'ok',
      'neutral',
    ]);
  });
});
