import { describe, expect, it } from 'vitest';
import { findClosestName } from './closest-name.ts';

describe('findClosestName', () => {
  it.each([
    ['memberid', 'member_id'],
    ['brigde', 'bridge'],
    ['Site_Id', 'site_id'],
    ['xyz', null],
    ['', null],
    ['m'.repeat(10_000), null],
  ])('%s → %s', (word, name) => {
    expect(findClosestName(['member_id', 'site_id', 'bridge'], word)).toBe(name);
  });
});
