/** Monday to Sunday in the language of the user. */
export const listWeekdayNames = (locale: string, weekday: 'short' | 'long'): readonly string[] => {
  const format = new Intl.DateTimeFormat(locale, { weekday, timeZone: 'UTC' });
  // 1 June 2026 is a Monday.
  return Array.from({ length: 7 }, (_, day) => format.format(Date.UTC(2026, 5, day + 1)));
};
