import { monotonic } from '@lintel/access-core/monotonic-time';
import { describe, expect, it } from 'vitest';
import { LOGIN_CHALLENGE_LIFETIME_MS, LoginChallenges } from './login-challenges.ts';

describe('LoginChallenges', () => {
  const open = () => {
    const clock = { at: 0, now: () => monotonic(clock.at) };
    return { clock, challenges: new LoginChallenges(clock) };
  };

  it('accepts a challenge once, before it expires', () => {
    const { clock, challenges } = open();
    const [first, second] = [challenges.create('10.0.0.1'), challenges.create('10.0.0.1')];
    clock.at = LOGIN_CHALLENGE_LIFETIME_MS - 1;
    expect([challenges.use(first), challenges.use(first), challenges.use('x')]).toEqual([true, false, false]);
    clock.at += 1;
    expect(challenges.use(second)).toBe(false);
  });

  it('limits each client on its own, an IPv6 client by its network', () => {
    const { challenges } = open();
    for (let count = 0; count < 10; count++) challenges.create(`2001:db8::${count}`);
    expect(() => challenges.create('2001:db8::ffff')).toThrow('try again in 60 s');
    expect(challenges.use(challenges.create('10.0.0.1'))).toBe(true);
  });

  it('keeps at most a thousand, the newest', () => {
    const { challenges } = open();
    const all = Array.from({ length: 1_001 }, (_, index) => challenges.create(`10.0.${index >> 8}.${index & 255}`));
    expect([challenges.use(all[0]!), challenges.use(all[1]!), challenges.use(all[1_000]!)]).toEqual([
      false,
      true,
      true,
    ]);
  });
});
