import { describe, expect, it } from 'vitest';
import { isGrantedNow } from './is-granted-now.ts';

type AccessGrant = Parameters<typeof isGrantedNow>[0];

const always = { starts_at: null, ends_at: null, schedule_ids: [] } as AccessGrant;
/** Every day from 9 to 17. */
const office = {
  id: 'schedule_1',
  weekdays: Array.from({ length: 7 }, () => ({ ranges: [{ start: 9 * 3600, end: 17 * 3600 }] })),
} as unknown as Parameters<typeof isGrantedNow>[1]['schedules'][number];
const at = (iso: string) => ({ now: Date.parse(iso), zone: 'Europe/Madrid', schedules: [office] });

describe('isGrantedNow', () => {
  it('accepts a grant without limits', () => {
    expect(isGrantedNow(always, at('2026-06-01T03:00:00Z'))).toBe(true);
  });

  it('compares the dates', () => {
    const stay = { ...always, starts_at: '2026-06-01T13:00:00Z', ends_at: '2026-06-03T09:00:00Z' } as AccessGrant;
    expect(isGrantedNow(stay, at('2026-06-01T12:59:59Z'))).toBe(false);
    expect(isGrantedNow(stay, at('2026-06-01T13:00:00Z'))).toBe(true);
    expect(isGrantedNow(stay, at('2026-06-03T09:00:00Z'))).toBe(false);
  });

  it('applies schedules in the time zone of the site', () => {
    const limited = { ...always, schedule_ids: [office.id] } as AccessGrant;
    expect(isGrantedNow(limited, at('2026-06-01T07:00:00Z'))).toBe(true);
    expect(isGrantedNow(limited, at('2026-06-01T06:59:00Z'))).toBe(false);
  });

  it('denies a grant with an unknown schedule', () => {
    expect(
      isGrantedNow({ ...always, schedule_ids: ['schedule_9'] } as unknown as AccessGrant, at('2026-06-01T08:00:00Z')),
    ).toBe(false);
  });
});
