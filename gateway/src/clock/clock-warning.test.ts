import { DAY_MS } from '@lintel/access-core/durations';
import { describe, expect, it } from 'vitest';
import { describeClockWarning } from './clock-warning.ts';

const today = Date.parse('2026-06-01T10:00:00Z');
const wrong = Date.parse('2045-01-01T00:00:00Z');

describe('describeClockWarning', () => {
  it('names both times and a remedy when the saved time is years ahead of the system clock', () => {
    const warning = describeClockWarning(wrong, today, false);
    expect(warning).toContain('2045-01-01 00:00 UTC');
    expect(warning).toContain('2026-06-01 10:00 UTC');
    expect(warning).toContain('remove gateway/time-floor.json');
  });

  it('is null once the bridge has confirmed the time', () => {
    expect(describeClockWarning(wrong, today, true)).toBeNull();
  });

  it('is null when the saved time is slightly ahead or behind', () => {
    expect(describeClockWarning(today + DAY_MS, today, false)).toBeNull();
    expect(describeClockWarning(today + DAY_MS + 1, today, false)).not.toBeNull();
    expect(describeClockWarning(today, today + 400 * DAY_MS, false)).toBeNull();
  });

  it('is null on a system without a clock', () => {
    expect(describeClockWarning(today, 0, false)).toBeNull();
  });
});
