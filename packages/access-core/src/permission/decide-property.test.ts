import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAccessDataSource } from './access-data-source.test-support.ts';
import { decidePermission } from './decide.ts';
import { decideByReference } from './reference-decide.test-support.ts';
import {
  arbitraryUntrustedTimePolicy,
  arbitraryAccessRequest,
  arbitraryAccessData,
} from './random-access-data.test-support.ts';
import { iterations } from '@lintel/test/support/test-iterations-and-seed';

describe('decidePermission on random data', () => {
  it('agrees with the reference implementation, including rule and association', () => {
    const outcomes = new Set<string>();
    fc.assert(
      fc.property(
        arbitraryAccessData,
        fc.array(arbitraryAccessRequest, { minLength: 1, maxLength: 12 }),
        arbitraryUntrustedTimePolicy,
        (world, all, policy) => {
          for (const request of all) {
            const decision = decidePermission(createAccessDataSource(world), request, policy);
            expect(decision).toEqual(decideByReference(world, request, policy));
            outcomes.add(decision.outcome === 'deny' ? decision.reason : decision.outcome);
          }
        },
      ),
      { numRuns: iterations({ sample: 800, all: 1_500 }) },
    );
    // 9 reasons, grant and not_found: each has to be covered.
    expect(outcomes.size).toBe(11);
  });
});
