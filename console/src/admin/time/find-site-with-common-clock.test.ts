import { describe, expect, it } from 'vitest';
import { findSiteWithCommonClock } from './find-site-with-common-clock.ts';

const sites = [
  { id: 'madrid', timezone: 'Europe/Madrid' },
  { id: 'airport', timezone: 'Europe/Madrid' },
  { id: 'lisbon', timezone: 'Europe/Lisbon' },
  { id: 'unset', timezone: null },
] as never;

describe('findSiteWithCommonClock', () => {
  it('returns a site if all sites have the same time zone', () => {
    expect(findSiteWithCommonClock(['lisbon'], sites)).toBe('lisbon');
    expect(findSiteWithCommonClock(['airport', 'madrid'], sites)).toBe('madrid');
    expect(findSiteWithCommonClock(['lisbon', 'unset'], sites)).toBe('lisbon');
  });

  it('returns none for several time zones, or without a known site', () => {
    expect(findSiteWithCommonClock(['madrid', 'lisbon'], sites)).toBeUndefined();
    expect(findSiteWithCommonClock(['unset', 'other'], sites)).toBeUndefined();
    expect(findSiteWithCommonClock([], sites)).toBeUndefined();
  });
});
