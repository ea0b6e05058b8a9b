import { describe, expect, it } from 'vitest';
import {
  computeLowestEventId,
  computeStartOfUtcMonth,
  buildEventTableName,
} from './event-month-boundaries-and-table-names.ts';

describe('months of events', () => {
  it('begin at the first day in UTC, also across years', () => {
    const at = Date.parse('2026-11-30T23:59:59.999Z');
    expect(new Date(computeStartOfUtcMonth(at)).toISOString()).toBe('2026-11-01T00:00:00.000Z');
    expect(new Date(computeStartOfUtcMonth(at, 2)).toISOString()).toBe('2027-01-01T00:00:00.000Z');
    expect(buildEventTableName(computeStartOfUtcMonth(at, 2))).toBe('events_2027_01');
  });

  it('have ids in their order', () => {
    const starts = [0, 1, 2, 30].map(offset => computeStartOfUtcMonth(Date.parse('2026-11-15T00:00:00Z'), offset));
    const ids = starts.map(computeLowestEventId);
    expect(ids.toSorted()).toEqual(ids);
  });
});
