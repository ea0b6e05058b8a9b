import { describe, expect, it } from 'vitest';
import { createSiteTime } from './site-time.ts';

const at = Date.parse('2026-11-16T14:04:00.000Z');
const day = { weekday: 'long', day: 'numeric', month: 'long' } as const;

describe('createSiteTime', () => {
  it('formats times in the zone of the site', () => {
    const time = createSiteTime('en-GB', 'Europe/Madrid');
    expect([time.zone, time.format({ timeStyle: 'short' }, at)]).toEqual(['Europe/Madrid', '15:04']);
  });

  it('formats times in UTC and says so when the browser does not know the zone', () => {
    const time = createSiteTime('en-GB', 'Europe/Atlantis');
    expect([time.zone, time.isZoneKnown]).toEqual(['UTC', false]);
    expect(time.format({ timeStyle: 'short' }, at)).toBe('14:04 UTC');
    expect(time.format({ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' }, at)).toBe('14:04 UTC');
    expect(time.format(day, at)).toBe('Monday 16 November');
  });

  it('uses the zone of the browser when the site has none', () => {
    const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const time = createSiteTime('en-GB', null);
    expect([time.zone, time.isZoneKnown]).toEqual([own, true]);
    expect(time.format({ timeStyle: 'short' }, at)).not.toContain('UTC');
  });
});
