import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  computeEffectiveRetention,
  UNLIMITED_RETENTION_DAYS,
  computeRetentionCutoff,
  computeRetentionLimits,
} from './retention-policy.ts';
import {
  computeLowestEventId,
  computeStartOfUtcMonth,
  buildEventTableName,
} from './event-month-boundaries-and-table-names.ts';

const row = {
  organization_id: 'org_1',
  event_days: null,
  delivery_days: null,
  event_limit_days: null,
  delivery_limit_days: null,
};
const installation = { events: 365, deliveries: 30 };

describe('computeEffectiveRetention', () => {
  it('is that of the installation unless the operator or the owner has chosen another', () => {
    expect(computeEffectiveRetention(undefined, installation)).toEqual(installation);
    expect(computeEffectiveRetention(row, installation)).toEqual(installation);
    expect(computeEffectiveRetention({ ...row, event_limit_days: 730 }, installation)).toEqual({
      events: 730,
      deliveries: 30,
    });
    expect(
      computeEffectiveRetention({ ...row, event_limit_days: UNLIMITED_RETENTION_DAYS }, installation).events,
    ).toBeNull();
    expect(computeEffectiveRetention({ ...row, event_days: 90, delivery_days: 7 }, installation)).toEqual({
      events: 90,
      deliveries: 7,
    });
  });

  it('never exceeds the limit', () => {
    const days = fc.option(fc.integer({ min: 1, max: 4000 }));
    const limit = fc.option(fc.integer({ min: 0, max: 4000 }));
    fc.assert(
      fc.property(days, limit, days, (event_days, event_limit_days, events) => {
        const own = { ...row, event_days, event_limit_days };
        const all = { events, deliveries: null };
        const longest = computeRetentionLimits(own, all).events ?? Infinity;
        expect(computeEffectiveRetention(own, all).events ?? Infinity).toBeLessThanOrEqual(longest);
      }),
    );
  });
});

describe('computeRetentionCutoff', () => {
  it('is the given number of days before now', () => {
    expect(computeRetentionCutoff(2, 200_000_000)).toBe(200_000_000 - 2 * 86_400_000);
    expect(computeRetentionCutoff(null, 200_000_000)).toBeNull();
  });
});

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
