import type { WeeklyTimeRanges } from '@lintel/access-core/schedule';

export const scenarioWeekdayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

const DAY = '(Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const CLOCK = '([01]\\d|2[0-4]):([0-5]\\d)';
const ENTRY = new RegExp(`^(?:(daily)|${DAY}(?:-${DAY})?) ${CLOCK}-${CLOCK}$`);

const seconds = (hours: string, minutes: string): number => Number(hours) * 3600 + Number(minutes) * 60;

const daysOf = (first: string | undefined, last: string | undefined): number[] => {
  if (first === undefined) return scenarioWeekdayNames.map((_, index) => index);
  const from = scenarioWeekdayNames.findIndex(name => name === first);
  const to = last === undefined ? from : scenarioWeekdayNames.findIndex(name => name === last);
  // Sat-Mon wraps around the end of the week.
  return scenarioWeekdayNames.map((_, index) => (from + index) % 7).slice(0, ((to - from + 7) % 7) + 1);
};

/** `Mon-Fri 08:00-18:00, Sat 10:00-14:00`; `daily 22:00-02:00` ends on the next day. Null for anything else. */
export const parseScenarioWeeklyHours = (text: string): WeeklyTimeRanges | null => {
  const ranges = scenarioWeekdayNames.map((): { start: number; end: number }[] => []);
  for (const entry of text.split(',')) {
    const match = ENTRY.exec(entry.trim());
    if (match === null) return null;
    const [, , first, last, startHour, startMinute, endHour, endMinute] = match;
    const [start, end] = [seconds(startHour!, startMinute!), seconds(endHour!, endMinute!)];
    if (start > 86_400 || end > 86_400 || start === end) return null;
    for (const day of daysOf(first, last)) {
      if (start < end) ranges[day]!.push({ start, end });
      else {
        ranges[day]!.push({ start, end: 86_400 });
        if (end > 0) ranges[(day + 1) % 7]!.push({ start: 0, end });
      }
    }
  }
  return ranges.map(day => ({ ranges: day.sort((a, b) => a.start - b.start) }));
};
