import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from './api-error.ts';
import { NetworkRateLimiter, RateLimiter } from './rate-limit.ts';

const limiterAt = (limit: { perSecond: number; burst: number }) => {
  const clock = { now: 0 };
  const limiter = new RateLimiter(limit, () => clock.now);
  const isTaken = (key = 'a'): boolean => {
    try {
      limiter.take(key);
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.type === 'rate_limited') return false;
      throw error;
    }
  };
  return { clock, limiter, isTaken };
};

describe('RateLimiter', () => {
  it('permits the burst at once and then as many per second as its limit', () => {
    const { clock, isTaken } = limiterAt({ perSecond: 2, burst: 3 });
    expect([isTaken(), isTaken(), isTaken(), isTaken()]).toEqual([true, true, true, false]);
    clock.now = 499;
    expect(isTaken()).toBe(false);
    clock.now = 500;
    expect([isTaken(), isTaken()]).toEqual([true, false]);
  });

  it('does not collect more than the burst', () => {
    const { clock, isTaken } = limiterAt({ perSecond: 100, burst: 2 });
    isTaken();
    clock.now = 3_600_000;
    expect([isTaken(), isTaken(), isTaken()]).toEqual([true, true, false]);
  });

  it('limits each key separately', () => {
    const { isTaken } = limiterAt({ perSecond: 1, burst: 1 });
    expect([isTaken('a'), isTaken('b'), isTaken('a'), isTaken('b')]).toEqual([true, true, false, false]);
  });

  it('returns the wait in whole seconds', () => {
    const { limiter, clock } = limiterAt({ perSecond: 0.1, burst: 1 });
    limiter.take('a');
    clock.now = 2500;
    expect(() => limiter.take('a')).toThrow(
      expect.objectContaining({ headers: expect.objectContaining({ 'retry-after': '8' }), args: { retry_after: '8' } }),
    );
    clock.now = 10_000;
    expect(() => limiter.take('a')).not.toThrow();
  });

  it('returns a permit, but never more than the burst', () => {
    const { limiter, isTaken } = limiterAt({ perSecond: 0.001, burst: 1 });
    limiter.returnPermit('unknown');
    limiter.take('a');
    limiter.returnPermit('a');
    limiter.returnPermit('a');
    expect([isTaken(), isTaken()]).toEqual([true, false]);
  });

  it('never permits more than burst plus rate in any period', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(400), { maxLength: 60 }),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 10 }),
        (pauses, perSecond, burst) => {
          const { clock, isTaken } = limiterAt({ perSecond, burst });
          let taken = 0;
          for (const pause of pauses) {
            clock.now += pause;
            if (isTaken()) taken += 1;
          }
          expect(taken).toBeLessThanOrEqual(burst + (clock.now / 1000) * perSecond + 1e-6);
        },
      ),
    );
  });
});

describe('NetworkRateLimiter', () => {
  const requestsOf = (addresses: Iterable<string>): number => {
    const limiter = new NetworkRateLimiter({ perSecond: 1, burst: 10 }, () => 0);
    let requests = 0;
    try {
      for (const address of addresses) {
        limiter.take(address);
        requests++;
      }
    } catch {}
    return requests;
  };

  it('permits a /56 two times and a /48 four times as many requests as a /64 or an IPv4 address', () => {
    const numbers = Array.from({ length: 200 }, (_, index) => index);
    expect(requestsOf(numbers.map(() => '192.0.2.1'))).toBe(10);
    expect(requestsOf(numbers.map(index => `2001:db8:1:1::${index.toString(16)}`))).toBe(10);
    expect(requestsOf(numbers.map(index => `2001:db8:1:${index.toString(16)}::1`))).toBe(20);
    expect(requestsOf(numbers.map(index => `2001:db8:1:${(index * 256).toString(16)}::1`))).toBe(40);
    expect(requestsOf(numbers.map(index => `2001:db8:${index.toString(16)}::1`))).toBe(200);
  });
});
