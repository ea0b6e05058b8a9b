import { describe, expect, it } from 'vitest';
import { findCommonSite } from './common-site.ts';

const sites = [
  { id: 'madrid', timezone: 'Europe/Madrid' },
  { id: 'airport', timezone: 'Europe/Madrid' },
  { id: 'lisbon', timezone: 'Europe/Lisbon' },
  { id: 'unset', timezone: null },
] as never;

describe('findCommonSite', () => {
  it('returns a site if all sites have the same time zone', () => {
    expect(findCommonSite(['lisbon'], sites)).toBe('lisbon');
    expect(findCommonSite(['airport', 'madrid'], sites)).toBe('madrid');
    expect(findCommonSite(['lisbon', 'unset'], sites)).toBe('lisbon');
  });

  it('returns none for several time zones, or without a known site', () => {
    expect(findCommonSite(['madrid', 'lisbon'], sites)).toBeUndefined();
    expect(findCommonSite(['unset', 'other'], sites)).toBeUndefined();
    expect(findCommonSite([], sites)).toBeUndefined();
  });
});
