import { formatTimeInputValue, type WeekRange } from './week-ranges.ts';
import { listWeekdayNames } from './weekday-names.ts';

/** `Mon–Fri 08:00–18:00 · Sat 10:00–14:00`; null for a schedule without times. */
export const describeWeekRanges = (ranges: readonly WeekRange[], locale: string): string | null => {
  const names = listWeekdayNames(locale, 'short');
  const times = names.map((_, day) =>
    ranges
      .filter(range => range.day === day)
      .toSorted((a, b) => a.start - b.start)
      .map(({ start, length }) => `${formatTimeInputValue(start)}–${formatTimeInputValue(start + length)}`)
      .join(', '),
  );
  const parts: string[] = [];
  for (let first = 0; first < times.length; ) {
    let last = first;
    while (times[last + 1] === times[first]) last++;
    const days = first === last ? names[first] : `${names[first]}–${names[last]}`;
    if (times[first] !== '') parts.push(`${days} ${times[first]}`);
    first = last + 1;
  }
  return parts.length === 0 ? null : parts.join(' · ');
};
