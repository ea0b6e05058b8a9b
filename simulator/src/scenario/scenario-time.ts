import { DAY_MS } from '@lintel/access-core/durations';
import { type Instant, instant } from '@lintel/access-core/instant';
import type { TimeZone } from '@lintel/access-core/time-zone';
import { scenarioWeekdayNames } from './weekly-hours.ts';

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: DAY_MS };

const DURATION = /^(?:\d+(?:ms|[smhd]))+$/;
const CLOCK = /^(?:(Mon|Tue|Wed|Thu|Fri|Sat|Sun) )?([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/;
const DATE = /^(\d{4}-\d{2}-\d{2}) ((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)$/;

/** `90s`, `8h`, `1d2h`; null for anything else. */
export const parseScenarioDuration = (text: string): number | null => {
  if (!DURATION.test(text)) return null;
  const parts = text.matchAll(/(\d+)(ms|[smhd])/g);
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNITS[unit!]!, 0);
};

/** Local time as milliseconds since 1 January 1970, local midnight. */
const wallAt = (zone: TimeZone, at: Instant): number => at + zone.offsetAt(at);

/** A local time that is skipped counts with the offset before the change; of a repeated local time, the first counts. */
const fromWall = (zone: TimeZone, wall: number): Instant => {
  const guess = wall - zone.offsetAt(instant(wall - DAY_MS));
  const other = wall - zone.offsetAt(instant(guess));
  const isOther = wallAt(zone, instant(guess)) !== wall && wallAt(zone, instant(other)) === wall;
  return instant(isOther ? other : guess);
};

const nextClock = (zone: TimeZone, now: Instant, match: RegExpExecArray): Instant => {
  const [, day, hours, minutes, seconds = '0'] = match;
  const wall = wallAt(zone, now);
  const midnight = Math.floor(wall / DAY_MS) * DAY_MS;
  const ofDay = Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1000;
  // 1 January 1970 was a Thursday.
  const isDay = (days: number): boolean =>
    day === undefined || scenarioWeekdayNames[(midnight / DAY_MS + days + 3) % 7] === day;
  for (let days = 0; days <= 7; days += 1) {
    const at = fromWall(zone, midnight + days * DAY_MS + ofDay);
    if (isDay(days) && at >= now) return at;
  }
  return now;
};

const TIME_EXAMPLES = '"22:05", "Tue 22:05", "2026-06-02 22:05" or "+10m"';

/** `22:05` is its next occurrence in the site's time zone, `+8h` is eight hours from now. Throws for anything else. */
export const parseScenarioTime = (text: string, now: Instant, zone: TimeZone): Instant => {
  if (text.startsWith('+')) {
    const duration = parseScenarioDuration(text.slice(1));
    if (duration !== null) return instant(now + duration);
  }
  const clock = CLOCK.exec(text);
  if (clock !== null) return nextClock(zone, now, clock);
  const date = DATE.exec(text);
  const wall = date === null ? Number.NaN : Date.parse(`${date[1]}T${date[2]}Z`);
  if (Number.isNaN(wall)) throw new Error(`Not a time: "${text}". Use ${TIME_EXAMPLES}`);
  return fromWall(zone, wall);
};

export const isValidScenarioTime = (text: string): boolean =>
  CLOCK.test(text) ||
  (DATE.test(text) && !Number.isNaN(Date.parse(text.slice(0, 10)))) ||
  (text.startsWith('+') && parseScenarioDuration(text.slice(1)) !== null);

export const SCENARIO_TIME_ERROR = `must be a time such as ${TIME_EXAMPLES}`;

/** `Mon 22:05`, with seconds unless they are zero. */
export const formatScenarioTime = (at: Instant, zone: TimeZone): string => {
  const wall = wallAt(zone, at);
  const text = new Date(wall).toISOString();
  const day = scenarioWeekdayNames[(Math.floor(wall / DAY_MS) + 3) % 7];
  return `${day} ${text.slice(11, wall % 60_000 === 0 ? 16 : 19)}`;
};
