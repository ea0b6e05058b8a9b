import { describe, expect, it } from 'vitest';
import { clockDoubt } from './clock-doubt.ts';

const DAY = 86_400_000;
const today = Date.parse('2026-06-01T10:00:00Z');
const far = Date.parse('2045-01-01T00:00:00Z');

describe('saved time', () => {
  it('years ahead of the system clock raises a doubt with both times and advice', () => {
    const said = clockDoubt(far, today, false);
    expect(said).toContain('2045-01-01 00:00 UTC');
    expect(said).toContain('2026-06-01 10:00 UTC');
    expect(said).toContain('remove gateway/time-floor.json');
  });

  it('raises no doubt once the bridge has confirmed it', () => {
    expect(clockDoubt(far, today, true)).toBeNull();
  });

  it('raises no doubt when it is slightly ahead or behind', () => {
    expect(clockDoubt(today + DAY, today, false)).toBeNull();
    expect(clockDoubt(today + DAY + 1, today, false)).not.toBeNull();
    expect(clockDoubt(today, today + 400 * DAY, false)).toBeNull();
  });

  it('raises no doubt on a system without a clock', () => {
    expect(clockDoubt(today, 0, false)).toBeNull();
  });
});
