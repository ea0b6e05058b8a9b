import { computeDateTimeLocalValue } from '../time/date-time-local-value.ts';

export const activityPeriods = ['today', 'last_night', 'yesterday', 'week'] as const;
type Period = (typeof activityPeriods)[number];

/** Wall-clock times of the site, as in the inputs. An empty text means no limit. */
interface TimeRange {
  readonly from: string;
  readonly until: string;
}

const EVENING_HOUR = 18;
const MORNING_HOUR = 8;

export const computeActivityPeriodRange = (period: Period, now: number, zone: string): TimeRange => {
  const at = (days: number, hour: number): string => computeDateTimeLocalValue(now, zone, days, hour);
  const ranges: Readonly<Record<Period, TimeRange>> = {
    today: { from: at(0, 0), until: '' },
    last_night: { from: at(-1, EVENING_HOUR), until: at(0, MORNING_HOUR) },
    yesterday: { from: at(-1, 0), until: at(0, 0) },
    week: { from: at(-7, 0), until: '' },
  };
  return ranges[period];
};

/** The period that a range is, if any. */
export const findActivityPeriodOfRange = ({ from, until }: TimeRange, now: number, zone: string): Period | null =>
  activityPeriods.find(period => {
    const range = computeActivityPeriodRange(period, now, zone);
    return range.from === from && range.until === until;
  }) ?? null;
