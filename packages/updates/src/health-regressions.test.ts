import { describe, expect, it } from 'vitest';
import { listHealthRegressions } from './health-regressions.ts';

const healthy = { isReady: true, isResponsive: true, online: true, faults: [] };
const before = { online: true, faults: ['reader:front'] };

describe('listHealthRegressions', () => {
  it('finds nothing when everything works as before', () => {
    expect(listHealthRegressions(healthy, before)).toEqual([]);
    expect(listHealthRegressions({ ...healthy, faults: ['reader:front'] }, before)).toEqual([]);
  });

  it('names what is worse than before', () => {
    expect(listHealthRegressions({ ...healthy, online: false }, before)).toEqual([expect.stringContaining('bridge')]);
    expect(listHealthRegressions({ ...healthy, faults: ['event_store'] }, before)).toEqual(['fault: event_store']);
    expect(listHealthRegressions({ ...healthy, isReady: false, isResponsive: false }, before)).toHaveLength(2);
  });

  it('ignores problems that existed before', () => {
    expect(listHealthRegressions({ ...healthy, online: false }, { ...before, online: false })).toEqual([]);
    expect(listHealthRegressions({ ...healthy, online: false }, null)).toEqual([]);
  });
});
