import { DAY_MS } from '@lintel/access-core/durations';

const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
const threeDigits = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, '0'));

export type IsoTimeFormatter = (milliseconds: number) => string;

/**
 * Formats times like `Date.toISOString`, but several times faster if many of them have the same date, which it caches.
 */
export const createIsoTimeFormatter = (): IsoTimeFormatter => {
  let lastDay = Number.NaN;
  let lastDate = '';
  return milliseconds => {
    const day = Math.floor(milliseconds / DAY_MS);
    if (day !== lastDay) {
      lastDate = new Date(milliseconds).toISOString().slice(0, -13);
      lastDay = day;
    }
    const left = milliseconds - day * DAY_MS;
    const seconds = Math.floor(left / 1000);
    const minutes = Math.floor(seconds / 60);
    const hours = Math.floor(minutes / 60);
    return `${lastDate}${twoDigits[hours]}:${twoDigits[minutes % 60]}:${twoDigits[seconds % 60]}.${threeDigits[left % 1000]}Z`;
  };
};
