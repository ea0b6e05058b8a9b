import type { ApiValidity } from '../components/validity-fields.tsx';
import type { AdminMessages } from '../messages/en.ts';
import type { SiteTimeFormats } from '../time/use-site-time-formats.ts';

const formatBounds = (
  { starts_at, ends_at }: ApiValidity,
  { members }: AdminMessages,
  time: SiteTimeFormats,
): string => {
  if (starts_at === null && ends_at === null) return members.always;
  if (ends_at === null) return members.from(time.formatWithin(starts_at!));
  if (starts_at === null) return members.until(time.formatWithin(ends_at));
  return members.between(time.formatShort(starts_at), time.formatShort(ends_at));
};

/** Begins or ends. */
export const isLimited = ({ starts_at, ends_at }: ApiValidity): boolean => starts_at !== null || ends_at !== null;

/** `Today 15:00 – 18 Nov, 11:00 (Europe/Madrid)`, or only the bound that exists. The page names the zone if it is the only one. */
export const formatValidity = (validity: ApiValidity, messages: AdminMessages, time: SiteTimeFormats): string => {
  const text = formatBounds(validity, messages, time);
  return time.isOnlyZone || !isLimited(validity) ? text : `${text} (${time.zone})`;
};
