import { parseWeeklyTimeRanges } from '@lintel/access-core/schedule';
import { describe, expect, it } from 'vitest';
import { parseScenarioWeeklyHours } from './weekly-hours.ts';

const hours = (text: string) =>
  parseScenarioWeeklyHours(text)?.map(({ ranges }) => ranges.map(({ start, end }) => [start / 3600, end / 3600]));

describe('weeklyHoursText hours', () => {
  it('are read for single days, ranges of days and every day', () => {
    const office = [[8, 18]];
    expect(hours('Mon-Fri 08:00-18:00, Sat 10:00-14:30')).toEqual([
      office,
      office,
      office,
      office,
      office,
      [[10, 14.5]],
      [],
    ]);
    expect(hours('daily 00:00-24:00')).toEqual(Array.from({ length: 7 }, () => [[0, 24]]));
  });

  it('over midnight belong to two days, and Sunday continues into Monday', () => {
    expect(hours('Sun 22:00-02:00')).toEqual([[[0, 2]], [], [], [], [], [], [[22, 24]]]);
  });

  it('may use a range of days over the end of the week', () => {
    expect(hours('Sat-Mon 09:00-10:00')).toEqual([[[9, 10]], [], [], [], [], [[9, 10]], [[9, 10]]]);
  });

  it('form a schedule that the API accepts', () => {
    expect(parseWeeklyTimeRanges(parseScenarioWeeklyHours('daily 22:00-02:00, Mon 08:00-09:00')).ok).toBe(true);
  });

  it.each([
    '',
    'Mon',
    'Mon 8:00-9:00',
    'Mon 09:00-09:00',
    'Mon 24:30-24:45',
    'Someday 08:00-09:00',
    'Mon 08:00-09:00,',
  ])('reject %j', text => {
    expect(parseScenarioWeeklyHours(text)).toBeNull();
  });
});
