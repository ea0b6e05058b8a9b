import { describe, expect, it } from 'vitest';
import { buildRolloutStages } from './rollout-stage-plans.ts';

describe('buildRolloutStages', () => {
  it('starts with one device unless all are updated at once', () => {
    expect(buildRolloutStages('all')).toEqual([]);
    expect(buildRolloutStages('careful')).toEqual([{ count: 1, wait_s: 86_400 }]);
    expect(buildRolloutStages('gradual')).toHaveLength(2);
  });
});
