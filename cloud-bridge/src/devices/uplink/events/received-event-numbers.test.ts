import { describe, expect, it } from 'vitest';
import { ReceivedEventNumbers } from './received-event-numbers.ts';

const received = (epoch: string | null, ...sequences: readonly number[]): ReceivedEventNumbers => {
  const numbers = new ReceivedEventNumbers('{}');
  for (const sequence of sequences) numbers.add({ epoch, sequence });
  return new ReceivedEventNumbers(numbers.toString());
};

describe('ReceivedEventNumbers', () => {
  it('reports the lost numbers that have not arrived, once', () => {
    const numbers = received('a', 1, 2, 5, 9);
    expect(numbers.reportLost({ epoch: 'a', first: 2, last: 10 })).toEqual([
      [3, 4],
      [6, 8],
      [10, 10],
    ]);
    expect(numbers.reportLost({ epoch: 'a', first: 1, last: 11 })).toEqual([[11, 11]]);
  });

  it('distinguishes epochs, unless the loss may concern several', () => {
    const numbers = received('a', 1, 2);
    numbers.add({ epoch: 'b', sequence: 3 });
    expect(numbers.reportLost({ epoch: 'b', first: 1, last: 3 })).toEqual([[1, 2]]);
    expect(received('a', 1, 2).reportLost({ first: 1, last: 3 })).toEqual([[3, 3]]);
  });

  it('stays small over thousands of events and many starts', () => {
    const numbers = received(null);
    for (let start = 0; start < 100; start++)
      for (let sequence = 1; sequence <= 100; sequence++)
        numbers.add({ epoch: `epoch-${start}`, sequence: start * 100 + sequence });
    expect(numbers.toString().length).toBeLessThan(1_000);
    expect(numbers.reportLost({ epoch: 'epoch-99', first: 9_901, last: 10_000 })).toEqual([]);
  });
});
