import { DAY_MS } from './durations.ts';

/** A period of constant UTC offset, up to `until`, exclusive. In milliseconds. */
interface Stretch {
  readonly until: number;
  readonly offset: number;
}

const SECOND = 1000;

/**
 * Two changes that cancel each other are found only if a probe falls between them. The closest such pair in the tz
 * database is 3.98 days apart (Freetown 1939), after 1970 6.95 days (Recife 2000, Gaza 2040).
 */
const PROBE = 3 * DAY_MS;

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** A formatter with output such as `Thu 01:00:00`. Throws for unknown time zones. */
export const createWallClockFormat = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });

/**
 * Uses weekday and time of day only, so that eras and calendars of distant years do not matter. `at` is a whole
 * second.
 */
const offsetAt = (clock: Intl.DateTimeFormat, at: number): number => {
  const text = clock.format(at);
  const time = text.slice(-8);
  const seconds = Number(time.slice(0, 2)) * 3600 + Number(time.slice(3, 5)) * 60 + Number(time.slice(6, 8));
  const utc = new Date(at);
  const days = (weekdays.indexOf(text.slice(0, 3)) - utc.getUTCDay() + 7) % 7;
  const midnight = Math.floor(at / DAY_MS) * DAY_MS;
  return midnight + (days === 6 ? -1 : days) * DAY_MS + seconds * SECOND - at;
};

/** The first second after `low` with another offset than `low`; `high` is known to differ. */
const firstChange = (clock: Intl.DateTimeFormat, low: number, offset: number, high: number): number => {
  let before = low / SECOND;
  let after = high / SECOND;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetAt(clock, middle * SECOND) === offset) before = middle;
    else after = middle;
  }
  return after * SECOND;
};

/** The consecutive periods from `from` on, the last one cut at `until`. Both are whole seconds. */
export const listOffsetPeriods = (clock: Intl.DateTimeFormat, from: number, until: number): readonly Stretch[] => {
  const stretches: Stretch[] = [];
  let offset = offsetAt(clock, from);
  for (let low = from; low < until; low += PROBE) {
    const high = Math.min(low + PROBE, until - SECOND);
    const offsetThere = offsetAt(clock, high);
    let known = low;
    while (offset !== offsetThere) {
      known = firstChange(clock, known, offset, high);
      stretches.push({ until: known, offset });
      offset = offsetAt(clock, known);
    }
  }
  stretches.push({ until, offset });
  return stretches;
};
