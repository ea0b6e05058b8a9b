import * as ageUnits from './english/age-words.ts';

const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;

/** `3 minutes`, in the largest unit that it fills. */
export const ageWords = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.round(milliseconds / 1_000));
  if (seconds < MINUTE_S) return ageUnits.seconds(seconds);
  if (seconds < HOUR_S) return ageUnits.minutes(Math.floor(seconds / MINUTE_S));
  if (seconds < 2 * DAY_S) return ageUnits.hours(Math.floor(seconds / HOUR_S));
  return ageUnits.days(Math.floor(seconds / DAY_S));
};

const moment = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
});
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** Date and time by the phone's own clock and zone: it is where the technician is. */
export const momentWords = (at: string | number): string => moment.format(new Date(at));
export const clockWords = (at: number): string => clock.format(at);
