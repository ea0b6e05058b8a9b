import { DAY_MS, HOUR_MS } from '@lintel/access-core/durations';
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
    stored = 100;
    const counter = new UplinkCounter(store, 50);
    expect([counter.next(), counter.next(), counter.next()]).toEqual([101, 102, 103]);
  });

  it('continues above all numbers of a run that was killed, also when the clock was set back', () => {
    const first = new UplinkCounter(store, 1_000);
    let highest = 0;
    for (let time = 0; time < 25_000; time++) highest = first.next();
    expect(new UplinkCounter(store, 5).next()).toBeGreaterThan(highest);
    expect(writes).toBeLessThan(200);
  });

  it('ascends over quick restarts after which the stored number is lost again and again', () => {
    let now = Date.UTC(2026, 0, 1);
    let highest = 0;
    for (let restart = 1; restart <= 200; restart++) {
      const counter = new UplinkCounter(store, now);
      const first = counter.next();
      expect(first).toBeGreaterThan(highest);
      highest = first;
      for (let message = 0; message < restart % 7; message++) highest = counter.next();
      now += 300;
      if (restart % 10 === 0) stored = 0;
    }
  });

  it('ascends when the stored number is lost and the clock is some hours behind', () => {
    const before = new UplinkCounter({ ...store, read: () => 1 }, 20 * HOUR_MS).next();
    expect(new UplinkCounter(store, 5 * HOUR_MS).next()).toBeGreaterThan(before);
  });

  it('skips ahead by a day, also for the next run', () => {
    const counter = new UplinkCounter(store, 1_000);
    const before = counter.next();
    counter.skipAhead();
    expect(counter.next()).toBeGreaterThan(before + DAY_MS);
    expect(new UplinkCounter(store, 2_000).next()).toBeGreaterThan(before + DAY_MS);
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
