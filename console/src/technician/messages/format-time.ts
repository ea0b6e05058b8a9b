import { createSiteTime } from '../../components/texts/site-time.ts';
import * as durationMessages from './english/duration.ts';

const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;

/** `3 minutes`, in the largest unit of at least one. */
export const formatDuration = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.round(milliseconds / 1_000));
  if (seconds < MINUTE_S) return durationMessages.secondsText(seconds);
  if (seconds < HOUR_S) return durationMessages.minutesText(Math.floor(seconds / MINUTE_S));
  if (seconds < 2 * DAY_S) return durationMessages.hoursText(Math.floor(seconds / HOUR_S));
  return durationMessages.daysText(Math.floor(seconds / DAY_S));
};

let siteTime = createSiteTime('en-GB', null);

/** All times are shown in the zone of the site. */
export const setSiteTimeZone = (timeZone: string | null): void => {
  siteTime = createSiteTime('en-GB', timeZone);
};

const parts = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const;
const dayParts = { day: 'numeric', month: 'short', year: 'numeric' } as const;

/** `16 Nov 2026, 15:04 CET` */
export const formatDateTime = (at: string | number): string => siteTime.format({ ...dayParts, ...parts }, new Date(at));

/** `15:04:05 CET` */
export const formatTime = (at: number): string => siteTime.format({ ...parts, second: '2-digit' }, at);

const ISO_TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** Replaces the times in a text of the controller, which have the form of the API. */
export const formatTimesInText = (text: string): string => text.replaceAll(ISO_TIME, formatDateTime);
