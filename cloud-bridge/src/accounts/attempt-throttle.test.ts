import { MINUTE_MS } from '@lintel/access-core/durations';
import { describe, expect, it } from 'vitest';
import { InMemoryAttemptThrottle } from './attempt-throttle.ts';

describe('InMemoryAttemptThrottle', () => {
  it('permits the free attempts, then doubles the wait up to 15 minutes', () => {
    const throttle = new InMemoryAttemptThrottle({ free: 5 });
    let now = 0;
    for (let index = 0; index < 5; index++) expect(throttle.registerAttempt('a', now)).toBe(0);
    const waits: number[] = [];
    for (let index = 0; index < 10; index++) {
      const wait = throttle.registerAttempt('a', now);
      waits.push(wait / 1000);
      expect(throttle.registerAttempt('a', now + wait - 1)).toBe(1);
      now += wait;
      expect(throttle.registerAttempt('a', now)).toBe(0);
    }
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 900, 900]);
  });

  it('clears attempts after 15 idle minutes and counts each key separately', () => {
    const throttle = new InMemoryAttemptThrottle({ free: 1 });
    throttle.registerAttempt('a', 0);
    expect(throttle.registerAttempt('a', 0)).toBe(5000);
    expect(throttle.registerAttempt('b', 0)).toBe(0);
    expect(throttle.registerAttempt('a', 15 * MINUTE_MS + 5000)).toBe(0);
    expect(throttle.registerAttempt('a', 15 * MINUTE_MS + 5000)).toBe(5000);
  });

  it('waits at least the given delay', () => {
    const throttle = new InMemoryAttemptThrottle({ free: 1, firstDelayMs: 60 * MINUTE_MS });
    throttle.registerAttempt('a', 0);
    expect(throttle.registerAttempt('a', 0)).toBe(60 * MINUTE_MS);
    expect(throttle.registerAttempt('a', 60 * MINUTE_MS)).toBe(0);
    expect(throttle.registerAttempt('a', 60 * MINUTE_MS)).toBe(60 * MINUTE_MS);
  });

  it('removes the last attempt on undoLastAttempt and all attempts on reset', () => {
    const throttle = new InMemoryAttemptThrottle({ free: 2 });
    throttle.registerAttempt('a', 0);
    throttle.registerAttempt('a', 0);
    throttle.undoLastAttempt('a');
    expect(throttle.registerAttempt('a', 0)).toBe(0);
    expect(throttle.registerAttempt('a', 0)).toBeGreaterThan(0);
    throttle.reset('a');
    expect(throttle.registerAttempt('a', 0)).toBe(0);
  });

  it('does not extend the wait when the clock is set back', () => {
    const throttle = new InMemoryAttemptThrottle({ free: 1 });
    throttle.registerAttempt('a', 1e12);
    expect(throttle.registerAttempt('a', 0)).toBeLessThanOrEqual(15 * MINUTE_MS);
  });

  it('bounds its size when every attempt uses another key', () => {
    const throttle = new InMemoryAttemptThrottle({ free: 1 });
    throttle.registerAttempt('first', 0);
    for (let index = 0; index < 20_000; index++) throttle.registerAttempt(`name${index}`, 1);
    expect(throttle.registerAttempt('first', 2)).toBe(0);
    expect(throttle.registerAttempt('name19999', 2)).toBeGreaterThan(0);
  });
});
