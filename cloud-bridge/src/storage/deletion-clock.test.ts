import { DAY_MS, HOUR_MS } from '@lintel/access-core/durations';
import { describe, expect, it } from 'vitest';
import { computeClockLead, DeletionClock } from './deletion-clock.ts';
import { instant } from '@lintel/access-core/instant';

const START = Date.parse('2026-06-01T10:00:00Z');

describe('computeClockLead', () => {
  const known = { wall: START, monotonic: 500 };

  it.each([
    ['time that passes', HOUR_MS * 30, HOUR_MS * 30, 0],
    ['an hour ahead', 1000, 1000 + HOUR_MS, 0],
    ['more than an hour ahead', 1000, 1001 + HOUR_MS, HOUR_MS + 1],
    ['40 days ahead', 0, 40 * DAY_MS, 40 * DAY_MS],
    ['a day behind', 0, -DAY_MS, 0],
    ['a machine that was restarted', -500, 10, 0],
  ])('%s', (_, elapsed, shown, lead) => {
    expect(computeClockLead(known, { wall: START + shown, monotonic: 500 + elapsed })).toBe(lead);
  });
});

describe('DeletionClock', () => {
  const setUp = () => {
    const time = { wall: START, monotonic: 0 };
    const clock = new DeletionClock({ clock: () => time.wall, monotonic: () => time.monotonic });
    const pass = (ms: number): void => {
      time.wall += ms;
      time.monotonic += ms;
    };
    return { time, clock, pass };
  };

  it('follows a clock that is slowly corrected', () => {
    const { time, clock, pass } = setUp();
    for (let hour = 0; hour < 100; hour++) {
      pass(HOUR_MS);
      time.wall += 60_000;
      expect(clock.now(null)).toBe(time.wall);
    }
  });

  it('continues from the expected time after a jump, and follows the clock when it is right again', () => {
    const { time, clock, pass } = setUp();
    pass(HOUR_MS);
    expect(clock.now(null)).toBe(instant(START + HOUR_MS));
    time.wall += 4 * DAY_MS;
    pass(13_000);
    expect(clock.now(null)).toBe(instant(START + HOUR_MS + 13_000));
    expect(clock.leadOf('org_a')).toBe(4 * DAY_MS);
    time.wall -= 4 * DAY_MS;
    expect(clock.now(null)).toBe(instant(time.wall));
    expect(clock.leadOf(null)).toBe(0);
  });

  it('deletes less while the clock is behind, and accepts that it returns', () => {
    const { time, clock, pass } = setUp();
    time.wall -= 2 * DAY_MS;
    expect(clock.now(null)).toBe(instant(START - 2 * DAY_MS));
    time.wall += 2 * DAY_MS;
    pass(HOUR_MS);
    expect(clock.now(null)).toBe(instant(START + HOUR_MS));
  });
});
