import { describe, expect, it } from 'vitest';
import { healthRegressions } from './health.ts';

const healthy = { isReady: true, isResponsive: true, online: true, faults: [] };
const before = { online: true, faults: ['reader:front'] };

describe('healthRegressions', () => {
  it('finds nothing when everything works as before', () => {
    expect(healthRegressions(healthy, before)).toEqual([]);
    expect(healthRegressions({ ...healthy, faults: ['reader:front'] }, before)).toEqual([]);
  });

  it('names what is worse than before', () => {
    expect(healthRegressions({ ...healthy, online: false }, before)).toEqual([expect.stringContaining('bridge')]);
    expect(healthRegressions({ ...healthy, faults: ['event_store'] }, before)).toEqual(['fault: event_store']);
    expect(healthRegressions({ ...healthy, isReady: false, isResponsive: false }, before)).toHaveLength(2);
  });

  it('ignores problems that existed before', () => {
    expect(healthRegressions({ ...healthy, online: false }, { ...before, online: false })).toEqual([]);
    expect(healthRegressions({ ...healthy, online: false }, null)).toEqual([]);
  });
});
