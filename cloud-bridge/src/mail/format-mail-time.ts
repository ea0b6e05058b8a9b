import type { MailLanguage } from './mail-language.ts';

/** Date and time with the zone, which is UTC if it is unknown. */
export const formatMailTime = (at: number, language: MailLanguage, timeZone: string | null): string => {
  const zone = timeZone ?? 'UTC';
  const format = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    dateStyle: 'full',
    timeStyle: 'short',
    timeZone: zone,
  });
  return `${format.format(at)} (${zone})`;
};
