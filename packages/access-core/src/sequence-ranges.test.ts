import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SequenceRangeSet, toSequenceRanges } from './sequence-ranges.ts';

const range = fc.tuple(fc.nat(60), fc.nat(8)).map(([first, length]) => [first, first + length] as const);
const change = fc.record({ isAdded: fc.boolean(), range });

describe('SequenceRangeSet', () => {
  it('hold the same as a plain set after any additions and removals', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), range, (changes, tested) => {
        const ranges = new SequenceRangeSet();
        const plain = new Set<number>();
        for (const { isAdded, range: given } of changes) {
          if (isAdded) ranges.add(given);
          else ranges.remove(given);
          for (let one = given[0]; one <= given[1]; one++) plain[isAdded ? 'add' : 'delete'](one);
        }
        const members = Array.from({ length: tested[1] - tested[0] + 1 }, (_, index) => tested[0] + index);
        expect(ranges.hasAll(tested)).toBe(members.every(member => plain.has(member)));
        expect(ranges.missing(tested)).toEqual(toSequenceRanges(members.filter(member => !plain.has(member))));
        expect(ranges.ranges).toEqual(toSequenceRanges([...plain]));
      }),
    );
  });

  it('use one range for each run', () => {
    expect(toSequenceRanges([5, 1, 2, 3, 9, 3])).toEqual([
      [1, 3],
      [5, 5],
      [9, 9],
    ]);
  });
});
