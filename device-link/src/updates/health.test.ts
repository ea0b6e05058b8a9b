import { expect, it } from 'vitest';
import { objectionsTo } from './health.ts';

const well = { isReady: true, isWell: true, online: true, faults: [] };
const before = { online: true, faults: ['reader:front'] };

it('has nothing against a version under which all is as it was', () => {
  expect(objectionsTo(well, before)).toEqual([]);
  expect(objectionsTo({ ...well, faults: ['reader:front'] }, before)).toEqual([]);
});

it('has something against one that is worse, and says what', () => {
  expect(objectionsTo({ ...well, online: false }, before)).toEqual([expect.stringContaining('bridge')]);
  expect(objectionsTo({ ...well, faults: ['event_store'] }, before)).toEqual(['fault: event_store']);
  expect(objectionsTo({ ...well, isReady: false, isWell: false }, before)).toHaveLength(2);
});

it('does not hold against it what was no better before', () => {
  expect(objectionsTo({ ...well, online: false }, { ...before, online: false })).toEqual([]);
  expect(objectionsTo({ ...well, online: false }, null)).toEqual([]);
});
