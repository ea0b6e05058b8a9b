import { describe, expect, it } from 'vitest';
import { findHealthRegressions } from './health.ts';

const healthy = { isReady: true, isResponsive: true, online: true, faults: [] };
const before = { online: true, faults: ['reader:front'] };

describe('findHealthRegressions', () => {
  it('finds nothing when everything works as before', () => {
    expect(findHealthRegressions(healthy, before)).toEqual([]);
    expect(findHealthRegressions({ ...healthy, faults: ['reader:front'] }, before)).toEqual([]);
  });

  it('names what is worse than before', () => {
    expect(findHealthRegressions({ ...healthy, online: false }, before)).toEqual([expect.stringContaining('bridge')]);
    expect(findHealthRegressions({ ...healthy, faults: ['event_store'] }, before)).toEqual(['fault: event_store']);
    expect(findHealthRegressions({ ...healthy, isReady: false, isResponsive: false }, before)).toHaveLength(2);
  });

  it('ignores problems that existed before', () => {
    expect(findHealthRegressions({ ...healthy, online: false }, { ...before, online: false })).toEqual([]);
    expect(findHealthRegressions({ ...healthy, online: false }, null)).toEqual([]);
  });
});
