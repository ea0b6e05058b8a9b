/**
 * How busy a hotel's doors are over the day, each hour as a share of the mean: quiet nights, breakfast, check-out,
 * check-in, and people who come back in the evening. The mean of all hours is 1.
 */
const hotelDay = [
  0.35, 0.2, 0.12, 0.1, 0.12, 0.3, 0.75, 1.35, 1.7, 1.65, 1.45, 1.15, 1.05, 1.0, 1.2, 1.5, 1.6, 1.65, 1.7, 1.55, 1.3,
  1.0, 0.75, 0.46,
] as const;

const HOUR_MS = 3_600_000;
const HOURS = hotelDay.length;

/** Between two hours the curve goes in a straight line. `localTime` counts milliseconds from any midnight. */
export const dayShare = (localTime: number): number => {
  const hours = (((localTime / HOUR_MS) % HOURS) + HOURS) % HOURS;
  const from = Math.floor(hours);
  const before = hotelDay[from]!;
  const after = hotelDay[(from + 1) % HOURS]!;
  return before + (after - before) * (hours - from);
};

/**
 * Milliseconds to the next tap of a door with this many taps an hour: people come without knowing of one another, so the
 * gaps are exponential. `chance` is from 0 up to 1, without 1.
 */
export const gapToNextTap = (tapsPerHour: number, chance: number): number =>
  tapsPerHour <= 0 ? Number.POSITIVE_INFINITY : (-Math.log(1 - chance) / tapsPerHour) * HOUR_MS;
