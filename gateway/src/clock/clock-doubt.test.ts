import { describe, expect, it } from 'vitest';
import { clockDoubt } from './clock-doubt.ts';

const DAY = 86_400_000;
const today = Date.parse('2026-06-01T10:00:00Z');
const far = Date.parse('2045-01-01T00:00:00Z');

describe('kept time', () => {
  it('that is years ahead of the system’s clock is doubted, with both times and what to do', () => {
    const said = clockDoubt(far, today, false);
    expect(said).toContain('2045-01-01 00:00 UTC');
    expect(said).toContain('2026-06-01 10:00 UTC');
    expect(said).toContain('remove gateway/time-floor.json');
  });

  it('is not doubted once the bridge has confirmed it', () => {
    expect(clockDoubt(far, today, true)).toBeNull();
  });

  it('is not doubted for being a little ahead, or behind', () => {
    expect(clockDoubt(today + DAY, today, false)).toBeNull();
    expect(clockDoubt(today + DAY + 1, today, false)).not.toBeNull();
    expect(clockDoubt(today, today + 400 * DAY, false)).toBeNull();
  });

  it('is not doubted because of a system that has no clock', () => {
    expect(clockDoubt(today, 0, false)).toBeNull();
  });
});
