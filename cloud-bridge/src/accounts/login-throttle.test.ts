import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LoginThrottle, networkOf } from './login-throttle.ts';

const MINUTE = 60_000;

describe('LoginThrottle', () => {
  it('permits the free attempts, then doubles the wait up to 15 minutes', () => {
    const throttle = new LoginThrottle(5);
    let now = 0;
    for (let index = 0; index < 5; index++) expect(throttle.admit('a', now)).toBe(0);
    const waits: number[] = [];
    for (let index = 0; index < 10; index++) {
      const wait = throttle.admit('a', now);
      waits.push(wait / 1000);
      expect(throttle.admit('a', now + wait - 1)).toBe(1);
      now += wait;
      expect(throttle.admit('a', now)).toBe(0);
    }
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 900, 900]);
  });

  it('forgets attempts after 15 minutes without any, and counts each name by itself', () => {
    const throttle = new LoginThrottle(1);
    throttle.admit('a', 0);
    expect(throttle.admit('a', 0)).toBe(5000);
    expect(throttle.admit('b', 0)).toBe(0);
    expect(throttle.admit('a', 15 * MINUTE + 5000)).toBe(0);
    expect(throttle.admit('a', 15 * MINUTE + 5000)).toBe(5000);
  });

  it('removes the last attempt on refund and all attempts on forgive', () => {
    const throttle = new LoginThrottle(2);
    throttle.admit('a', 0);
    throttle.admit('a', 0);
    throttle.refund('a');
    expect(throttle.admit('a', 0)).toBe(0);
    expect(throttle.admit('a', 0)).toBeGreaterThan(0);
    throttle.forgive('a');
    expect(throttle.admit('a', 0)).toBe(0);
  });

  it('does not extend the wait when the clock is set back', () => {
    const throttle = new LoginThrottle(1);
    throttle.admit('a', 1e12);
    expect(throttle.admit('a', 0)).toBeLessThanOrEqual(15 * MINUTE);
  });

  it('stays bounded when every attempt uses another name', () => {
    const throttle = new LoginThrottle(1);
    throttle.admit('first', 0);
    for (let index = 0; index < 20_000; index++) throttle.admit(`name${index}`, 1);
    expect(throttle.admit('first', 2)).toBe(0);
    expect(throttle.admit('name19999', 2)).toBeGreaterThan(0);
  });
});

describe('networkOf', () => {
  it('returns an IPv4 address or the first half of an IPv6 address', () => {
    expect(networkOf('192.0.2.1')).toBe('192.0.2.1');
    expect(networkOf('::ffff:192.0.2.1')).toBe('192.0.2.1');
    expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2');
    expect(networkOf('2001:DB8:1::9')).toBe('2001:db8:1:0');
    expect(networkOf('::1')).toBe('0:0:0:0');
    expect(networkOf('2001:db8::')).toBe('2001:db8:0:0');
  });

  it('is the same for IPv6 addresses that differ in the second half only', () => {
    const group = fc.integer({ min: 1, max: 0xffff }).map(number => number.toString(16));
    const half = fc.array(group, { minLength: 4, maxLength: 4 }).map(groups => groups.join(':'));
    fc.assert(
      fc.property(half, half, half, (network, one, other) => {
        expect(networkOf(`${network}:${one}`)).toBe(networkOf(`${network}:${other}`));
        expect(networkOf(`${network}:${one}`)).toBe(networkOf(`${network}::1`));
      }),
    );
  });
});
