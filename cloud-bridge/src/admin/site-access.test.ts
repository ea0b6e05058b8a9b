import { describe, expect, it } from 'vitest';
import { canAccessSite } from './site-access.ts';

describe('canAccessSite', () => {
  it('is true for every site without a restriction, and for the assigned ones otherwise', () => {
    const caller = (siteIds: readonly string[] | null) => ({ siteIds }) as never;
    expect(canAccessSite(caller(null), 'site_1')).toBe(true);
    expect(canAccessSite(caller(['site_1']), 'site_1')).toBe(true);
    expect(canAccessSite(caller(['site_1']), 'site_2')).toBe(false);
    expect(canAccessSite(caller([]), 'site_1')).toBe(false);
  });
});
