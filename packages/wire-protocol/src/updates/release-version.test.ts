import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareReleaseVersions, releaseVersionSchema } from './release-version.ts';

describe('compareReleaseVersions', () => {
  it('sorts in the order of semantic versions', () => {
    const inOrder = [
      '0.9.9',
      '1.0.0-1',
      '1.0.0-2',
      '1.0.0-10',
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-rc',
      '1.0.0',
      '1.0.1',
      '1.2.0',
      '1.10.0',
      '2.0.0',
    ];
    const shuffled = fc.shuffledSubarray(inOrder, { minLength: inOrder.length });
    fc.assert(
      fc.property(shuffled, some => {
        expect(some.toSorted(compareReleaseVersions)).toEqual(inOrder);
      }),
    );
  });
});

describe('releaseVersionSchema', () => {
  it.each(['1', '1.2', 'v1.2.3', '01.2.3', '1.2.3-', '1.2.3+build', '1.2.3 ', ''])('rejects %j', text => {
    expect(releaseVersionSchema.safeParse(text).success).toBe(false);
  });
});
