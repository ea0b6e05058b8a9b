import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { worldOf } from './world-of.test-arrangement.ts';
import { decide } from './decide.ts';
import { naiveDecide } from './naive-decide.test-oracle.ts';
import { policies, requests, worlds } from './random-world.test-arbitrary.ts';

describe('the permission calculation on random worlds', () => {
  test('agrees with the naive second implementation, rule and association included', () => {
    const outcomes = new Set<string>();
    fc.assert(
      fc.property(worlds, fc.array(requests, { minLength: 1, maxLength: 12 }), policies, (world, all, policy) => {
        for (const request of all) {
          const decision = decide(worldOf(world), request, policy);
          expect(decision).toEqual(naiveDecide(world, request, policy));
          outcomes.add(decision.outcome === 'deny' ? decision.reason : decision.outcome);
        }
      }),
      { numRuns: 1500 },
    );
    // 9 reasons, grant and not_found: worlds that never reach one of them would prove nothing about it.
    expect(outcomes.size).toBe(11);
  });
});
