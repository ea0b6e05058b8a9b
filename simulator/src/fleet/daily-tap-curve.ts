import { HOUR_MS } from '@lintel/access-core/durations';

/** Relative tap rate of a hotel for each hour of the day, with a mean of 1. */
const hotelDay = [
  0.35, 0.2, 0.12, 0.1, 0.12, 0.3, 0.75, 1.35, 1.7, 1.65, 1.45, 1.15, 1.05, 1.0, 1.2, 1.5, 1.6, 1.65, 1.7, 1.55, 1.3,
  1.0, 0.75, 0.46,
] as const;

const HOURS = hotelDay.length;

/** Relative tap rate, interpolated between two hours. `localTime`: milliseconds since any midnight. */
export const computeRelativeTapRate = (localTime: number): number => {
  const hours = (((localTime / HOUR_MS) % HOURS) + HOURS) % HOURS;
  const from = Math.floor(hours);
  const before = hotelDay[from]!;
  const after = hotelDay[(from + 1) % HOURS]!;
  return before + (after - before) * (hours - from);
};

/** Milliseconds until the next tap of a Poisson process. `random` is at least 0 and less than 1. */
export const computeMsToNextTap = (tapsPerHour: number, random: number): number =>
  tapsPerHour <= 0 ? Number.POSITIVE_INFINITY : (-Math.log(1 - random) / tapsPerHour) * HOUR_MS;
