import type { Language } from './language.ts';

export interface Moment {
  readonly at: string;
  readonly now: string;
  /** The site's zone: a door opens by the clock of its house, not by that of the phone. */
  readonly timeZone: string | null;
}

const DAY_MS = 86_400_000;

/** The date in the zone as a number of days, whatever the hour. */
const dayNumber = (time: Date, zone: { timeZone?: string }): number => {
  const [month, day, year] = new Intl.DateTimeFormat('en-US', zone).format(time).split('/').map(Number);
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day ?? 1) / DAY_MS;
};

/** A phone may be older than a zone's name: its own clock is better than no page. */
export const knownZone = (timeZone: string | null): { timeZone?: string } => {
  if (timeZone === null) return {};
  try {
    return { timeZone: new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone };
  } catch {
    return {};
  }
};

/** `today at 15:00`, `tomorrow at 07:00`, `on Friday, 12 June at 15:00`. */
export const whenWords = ({ tag, words }: Language, { at, now, timeZone }: Moment): string => {
  const zone = knownZone(timeZone);
  const moment = new Date(at);
  const time = new Intl.DateTimeFormat(tag, { ...zone, timeStyle: 'short' }).format(moment);
  const days = dayNumber(moment, zone) - dayNumber(new Date(now), zone);
  if (days === 0) return words.today(time);
  if (days === 1) return words.tomorrow(time);
  const style = { weekday: 'long', day: 'numeric', month: 'long' } as const;
  return words.onDay(new Intl.DateTimeFormat(tag, { ...zone, ...style }).format(moment), time);
};
