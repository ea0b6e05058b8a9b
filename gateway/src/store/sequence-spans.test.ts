import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SequenceSpans, spansOf } from './sequence-spans.ts';

const span = fc.tuple(fc.nat(60), fc.nat(8)).map(([first, length]) => [first, first + length] as const);
const change = fc.record({ isAdded: fc.boolean(), span });

describe('SequenceSpans', () => {
  it('hold the same as a plain set after any additions and removals', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), span, (changes, asked) => {
        const spans = new SequenceSpans();
        const plain = new Set<number>();
        for (const { isAdded, span: given } of changes) {
          if (isAdded) spans.add(given);
          else spans.remove(given);
          for (let one = given[0]; one <= given[1]; one++) plain[isAdded ? 'add' : 'delete'](one);
        }
        const wanted = Array.from({ length: asked[1] - asked[0] + 1 }, (_, index) => asked[0] + index);
        expect(spans.hasAll(asked)).toBe(wanted.every(one => plain.has(one)));
        expect(spans.spans).toEqual(spansOf([...plain]));
      }),
    );
  });

  it('use one span for each run', () => {
    expect(spansOf([5, 1, 2, 3, 9, 3])).toEqual([
      [1, 3],
      [5, 5],
      [9, 9],
    ]);
  });
});
