const DAY_MS = 86_400_000;

/** `2026-06-01T`, for days since 1970. A page of a list lies within few days, so the last one is mostly the one. */
let lastDay = Number.NaN;
let lastDate = '';

const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
const threeDigits = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, '0'));

/** What `new Date(milliseconds).toISOString()` says, several times as fast. */
export const isoTime = (milliseconds: number): string => {
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
