import * as durationMessages from './english/duration.ts';

const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;

/** `3 minutes`, in the largest unit of at least one. */
export const formatDuration = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.round(milliseconds / 1_000));
  if (seconds < MINUTE_S) return durationMessages.secondCount(seconds);
  if (seconds < HOUR_S) return durationMessages.minuteCount(Math.floor(seconds / MINUTE_S));
  if (seconds < 2 * DAY_S) return durationMessages.hourCount(Math.floor(seconds / HOUR_S));
  return durationMessages.dayCount(Math.floor(seconds / DAY_S));
};

const dateTime = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
});
const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** In the time zone of the browser. */
export const formatDateTime = (at: string | number): string => dateTime.format(new Date(at));
export const formatTime = (at: number): string => time.format(at);
