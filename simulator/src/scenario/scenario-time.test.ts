import { type Instant, instant } from '@lintel/access-core/instant';
import { resolveTimeZone, type TimeZone } from '@lintel/access-core/time-zone';
import { describe, expect, it } from 'vitest';
import { formatScenarioTime, parseScenarioDuration, isValidScenarioTime, parseScenarioTime } from './scenario-time.ts';

const madrid = ((): TimeZone => {
  const zone = resolveTimeZone('Europe/Madrid');
  if (!zone.ok) throw new Error('no zone');
  return zone.value;
})();

const at = (text: string): Instant => instant(Date.parse(text));
const from = (text: string, now: string): string => new Date(parseScenarioTime(text, at(now), madrid)).toISOString();

const MONDAY_NOON = '2026-06-01T10:00:00Z';

describe('scenario time', () => {
  it('reads a time of day as its next occurrence', () => {
    expect(from('12:00', MONDAY_NOON)).toBe('2026-06-01T10:00:00.000Z');
    expect(from('22:05:30', MONDAY_NOON)).toBe('2026-06-01T20:05:30.000Z');
    expect(from('11:59', MONDAY_NOON)).toBe('2026-06-02T09:59:00.000Z');
    expect(from('Wed 08:00', MONDAY_NOON)).toBe('2026-06-03T06:00:00.000Z');
    expect(from('Mon 08:00', MONDAY_NOON)).toBe('2026-06-08T06:00:00.000Z');
  });

  it('reads a date by the clock of the site, and a duration by any clock', () => {
    expect(from('2026-12-24 18:00', MONDAY_NOON)).toBe('2026-12-24T17:00:00.000Z');
    expect(from('+1d2h3m4s', MONDAY_NOON)).toBe('2026-06-02T12:03:04.000Z');
  });

  it('takes the first of a repeated hour, and an hour later for a skipped one', () => {
    expect(from('2026-10-25 02:15', MONDAY_NOON)).toBe('2026-10-25T00:15:00.000Z');
    expect(from('2026-03-29 02:30', '2026-03-28T12:00:00Z')).toBe('2026-03-29T01:30:00.000Z');
  });

  it('is formatted with day and time, and seconds if there are any', () => {
    expect(formatScenarioTime(at(MONDAY_NOON), madrid)).toBe('Mon 12:00');
    expect(formatScenarioTime(at('2026-06-01T22:30:05Z'), madrid)).toBe('Tue 00:30:05');
  });

  it('rejects invalid times and durations', () => {
    const wrong = ['', '25:00', '12:60', '+', '+5', '5m', 'Mon', '2026-13-01 10:00', '2026-06-01', 'tomorrow'];
    expect(wrong.filter(isValidScenarioTime)).toEqual([]);
    expect(['', '5', 'm5', '-5m', '5 m'].map(parseScenarioDuration)).toEqual([null, null, null, null, null]);
  });
});
