import { afterEach, describe, expect, it } from 'vitest';
import { formatDateTime, formatTimesInText, setSiteTimeZone } from './format-time.ts';

afterEach(() => setSiteTimeZone(null));

describe('formatDateTime', () => {
  it('shows times in the zone of the site, with the zone', () => {
    setSiteTimeZone('Europe/Madrid');
    expect(formatDateTime('2026-11-16T14:04:00.000Z')).toBe('16 Nov 2026, 15:04 CET');
    expect(formatTimesInText('No connection since 2026-06-01T10:00:00.000Z.')).toBe(
      'No connection since 1 Jun 2026, 12:00 CEST.',
    );
  });

  it('falls back to UTC for an unknown zone', () => {
    setSiteTimeZone('Nowhere/Land');
    expect(formatDateTime('2026-11-16T14:04:00.000Z')).toBe('16 Nov 2026, 14:04 UTC');
  });
});
