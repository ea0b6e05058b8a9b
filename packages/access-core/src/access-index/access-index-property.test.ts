import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideByReference, type AccessData } from '../permission/reference-decide.test-support.ts';
import * as random from '../permission/random-access-data.test-support.ts';
import { AccessIndex } from './access-index.ts';
import { applyChange, arbitraryChange, readAnswers } from './random-changes.test-support.ts';
import { iterations } from '@lintel/test/support/test-iterations-and-seed';

describe('AccessIndex on random data', () => {
  it('decides like the reference implementation', () => {
    fc.assert(
      fc.property(
        random.arbitraryAccessData,
        fc.array(random.arbitraryAccessRequest, { minLength: 1, maxLength: 12 }),
        random.arbitraryUntrustedTimePolicy,
        (world, all, policy) => {
          const index = new AccessIndex(world);
          for (const request of all)
            expect(index.decide(request, policy)).toEqual(decideByReference(world, request, policy));
        },
      ),
      { numRuns: iterations({ sample: 100, all: 500 }) },
    );
  });

  it('is the same after incremental changes as an index built from the final data', () => {
    fc.assert(
      fc.property(
        random.arbitraryAccessData,
        fc.array(arbitraryChange, { maxLength: 25 }),
        fc.array(random.arbitraryAccessRequest, { maxLength: 8 }),
        (start, all, requests) => {
          const index = new AccessIndex(start);
          let world: AccessData = start;
          for (const change of all) {
            index.apply(change);
            world = applyChange(world, change);
            for (const request of requests.slice(0, 2))
              expect(index.decide(request)).toEqual(decideByReference(world, request));
          }
          expect(readAnswers(index)).toEqual(readAnswers(new AccessIndex(world)));
          for (const request of requests) expect(index.decide(request)).toEqual(decideByReference(world, request));
        },
      ),
      { numRuns: iterations({ sample: 80, all: 400 }) },
    );
  });

  it('returns members unchanged', () => {
    fc.assert(
      fc.property(random.arbitraryAccessData, world => {
        const index = new AccessIndex(world);
        for (const member of world.members) expect(index.member(member.id)).toEqual(member);
      }),
    );
  });
});
