import { DAY_MS } from '@lintel/access-core/durations';
import { createSiteTime } from '../../components/texts/site-time.ts';
import type { GuestLanguage } from './language.ts';

export interface RelativeTimeInput {
  readonly at: string;
  readonly now: string;
  /** The time zone of the site, which schedules use. */
  readonly timeZone: string | null;
}

const dayNumber = (at: string, timeZone: string): number => {
  const [month, day, year] = createSiteTime('en-US', timeZone).format({}, new Date(at)).split('/').map(Number);
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day ?? 1) / DAY_MS;
};

/** `today at 15:00`, `tomorrow at 07:00`, `on Friday, 12 June at 15:00`. */
export const formatRelativeDayAndTime = (
  { tag, messages }: GuestLanguage,
  { at, now, timeZone }: RelativeTimeInput,
): string => {
  const { zone, format } = createSiteTime(tag, timeZone);
  const moment = new Date(at);
  const time = format({ timeStyle: 'short' }, moment);
  const days = dayNumber(at, zone) - dayNumber(now, zone);
  if (days === 0) return messages.today(time);
  if (days === 1) return messages.tomorrow(time);
  return messages.onDay(format({ weekday: 'long', day: 'numeric', month: 'long' }, moment), time);
};
