import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventStreamReader } from './event-stream.ts';

const stream = 'retry: 2000\n\nid: 1\ndata: {"a":1}\n\n: beat\n\nid: 2\ndata: {"b":"\\n"}\n\n';

describe('EventStreamReader', () => {
  it('reads the same events for any split into chunks', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: stream.length })), cuts => {
        const reader = new EventStreamReader();
        const places = [0, ...cuts, stream.length].toSorted((a, b) => a - b);
        const data = places.slice(1).flatMap((end, index) => reader.take(stream.slice(places[index], end)));
        expect(data.map(text => JSON.parse(text) as unknown)).toEqual([{ a: 1 }, { b: '\n' }]);
      }),
    );
  });

  it('discards an event without an end', () => {
    const reader = new EventStreamReader();
    expect(() => {
      for (let count = 0; count < 20; count++) reader.take(`data: ${'x'.repeat(100_000)}`);
    }).toThrow(RangeError);
  });
});
