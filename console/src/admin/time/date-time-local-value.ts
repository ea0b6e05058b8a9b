import { DAY_MS } from '@lintel/access-core/durations';
import { instant } from '@lintel/access-core/instant';
import { resolveTimeZone, type TimeZone } from '@lintel/access-core/time-zone';

const zoneOf = (name: string): TimeZone | null => {
  const zone = resolveTimeZone(name);
  return zone.ok ? zone.value : null;
};

const wallTimeAt = (zone: string, at: number): number => at + (zoneOf(zone)?.offsetAt(instant(at)) ?? 0);

/** For an input of the type `datetime-local`: the wall-clock time of the site, for example `2026-11-18T11:00`. */
export const formatDateTimeLocalValue = (iso: string | null, zone: string): string =>
  iso === null ? '' : new Date(wallTimeAt(zone, Date.parse(iso))).toISOString().slice(0, 16);

/** A time that a clock change skips counts with the offset before the change; of a repeated time, the first counts. */
const fromWallTime = (zone: TimeZone, wall: number): number => {
  const guess = wall - zone.offsetAt(instant(wall - DAY_MS));
  const other = wall - zone.offsetAt(instant(guess));
  const isOther = guess + zone.offsetAt(instant(guess)) !== wall && other + zone.offsetAt(instant(other)) === wall;
  return isOther ? other : guess;
};

/** The instant of a wall-clock time of the site; null if the input is empty or incomplete. */
export const parseDateTimeLocalValue = (text: string, zone: string): string | null => {
  const wall = Date.parse(`${text}Z`);
  if (text === '' || Number.isNaN(wall)) return null;
  const known = zoneOf(zone);
  return new Date(known === null ? wall : fromWallTime(known, wall)).toISOString();
};

/** `days` after the day of `now` at the site, at the hour, as input text. */
export const computeDateTimeLocalValue = (now: number, zone: string, days: number, hour: number): string => {
  const midnight = Math.floor(wallTimeAt(zone, now) / DAY_MS) * DAY_MS;
  return new Date(midnight + days * DAY_MS + hour * 3_600_000).toISOString().slice(0, 16);
};

/** Calendar days from the day of `now` to the day of `at`, both at the site. */
export const countCalendarDaysBetween = (now: number, at: number, zone: string): number =>
  Math.floor(wallTimeAt(zone, at) / DAY_MS) - Math.floor(wallTimeAt(zone, now) / DAY_MS);
