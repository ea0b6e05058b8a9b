import { describe, expect, it } from 'vitest';
import { objectionsTo } from './health.ts';

const well = { isReady: true, isWell: true, online: true, faults: [] };
const before = { online: true, faults: ['reader:front'] };

describe('update health', () => {
  it('is good when everything works as before', () => {
    expect(objectionsTo(well, before)).toEqual([]);
    expect(objectionsTo({ ...well, faults: ['reader:front'] }, before)).toEqual([]);
  });

  it('is bad when something is worse, with the reason', () => {
    expect(objectionsTo({ ...well, online: false }, before)).toEqual([expect.stringContaining('bridge')]);
    expect(objectionsTo({ ...well, faults: ['event_store'] }, before)).toEqual(['fault: event_store']);
    expect(objectionsTo({ ...well, isReady: false, isWell: false }, before)).toHaveLength(2);
  });

  it('ignores problems that existed before', () => {
    expect(objectionsTo({ ...well, online: false }, { ...before, online: false })).toEqual([]);
    expect(objectionsTo({ ...well, online: false }, null)).toEqual([]);
  });
});
