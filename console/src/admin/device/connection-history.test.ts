import { describe, expect, it } from 'vitest';
import { listConnectionPeriods, computeOnlineShare } from './connection-history.ts';

const range = { from: 0, until: 100, isOnline: true };

describe('listConnectionPeriods', () => {
  it('returns one period without a change', () => {
    expect(listConnectionPeriods([], range)).toEqual([range]);
  });

  it('splits the range at each change, in any order, and ignores repeated and older changes', () => {
    const changes = [
      { at: 70, isOnline: true },
      { at: 60, isOnline: false },
      { at: 65, isOnline: false },
      { at: -5, isOnline: false },
    ];
    const periods = listConnectionPeriods(changes, range);
    expect(periods).toEqual([
      { from: 0, until: 60, isOnline: true },
      { from: 60, until: 70, isOnline: false },
      { from: 70, until: 100, isOnline: true },
    ]);
    expect(computeOnlineShare(periods)).toBeCloseTo(0.9);
  });
});
