import { beforeEach, describe, expect, it } from 'vitest';
import { UplinkCounter } from './uplink-counter.ts';

let stored: number;
let writes: number;
const store = {
  read: () => stored,
  write: (reserved: number) => {
    stored = reserved;
    writes++;
  },
};
beforeEach(() => {
  stored = 0;
  writes = 0;
});

describe('UplinkCounter', () => {
  it('ascends by one', () => {
    const counter = new UplinkCounter(store, 100);
    expect([counter.next(), counter.next(), counter.next()]).toEqual([101, 102, 103]);
  });

  it('continues above all numbers of a run that was killed, also when the clock was set back', () => {
    const first = new UplinkCounter(store, 1_000);
    let highest = 0;
    for (let time = 0; time < 25_000; time++) highest = first.next();
    expect(new UplinkCounter(store, 5).next()).toBeGreaterThan(highest);
    expect(writes).toBeLessThan(5);
  });

  it('continues from the clock when the stored number is lost', () => {
    expect(new UplinkCounter(store, 5_000).next()).toBe(5_001);
  });

  it('keeps counting when the disk is full', () => {
    const counter = new UplinkCounter(
      {
        read: () => 7,
        write: () => {
          throw new Error('ENOSPC');
        },
      },
      0,
    );
    expect([counter.next(), counter.next()]).toEqual([8, 9]);
  });
});
