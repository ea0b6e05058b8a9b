import { DAY_MS } from '@lintel/access-core/durations';
import type { GuestLanguage } from './language.ts';

export interface RelativeTimeInput {
  readonly at: string;
  readonly now: string;
  /** The time zone of the site, which schedules use. */
  readonly timeZone: string | null;
}

const dayNumber = (time: Date, zone: { timeZone?: string }): number => {
  const [month, day, year] = new Intl.DateTimeFormat('en-US', zone).format(time).split('/').map(Number);
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day ?? 1) / DAY_MS;
};

/** Falls back to the time zone of the phone for a zone that the browser does not know. */
export const toSupportedTimeZoneOption = (timeZone: string | null): { timeZone?: string } => {
  if (timeZone === null) return {};
  try {
    return { timeZone: new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone };
  } catch {
    return {};
  }
};

/** `today at 15:00`, `tomorrow at 07:00`, `on Friday, 12 June at 15:00`. */
export const formatRelativeDayAndTime = (
  { tag, messages }: GuestLanguage,
  { at, now, timeZone }: RelativeTimeInput,
): string => {
  const zone = toSupportedTimeZoneOption(timeZone);
  const moment = new Date(at);
  const time = new Intl.DateTimeFormat(tag, { ...zone, timeStyle: 'short' }).format(moment);
  const days = dayNumber(moment, zone) - dayNumber(new Date(now), zone);
  if (days === 0) return messages.today(time);
  if (days === 1) return messages.tomorrow(time);
  const dateStyle = { weekday: 'long', day: 'numeric', month: 'long' } as const;
  return messages.onDay(new Intl.DateTimeFormat(tag, { ...zone, ...dateStyle }).format(moment), time);
};
