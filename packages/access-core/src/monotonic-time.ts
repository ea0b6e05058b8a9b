import type { BrandedType } from './branded-type.ts';

/**
 * Milliseconds of a clock that only runs forward, with an arbitrary start. Distinct from `Instant`, so that door and
 * keypad timers cannot use the wall clock by mistake.
 */
export type MonotonicTime = BrandedType<number, 'Monotonic'>;

export const monotonic = (milliseconds: number): MonotonicTime => milliseconds as MonotonicTime;

export const addMilliseconds = (at: MonotonicTime, milliseconds: number): MonotonicTime => monotonic(at + milliseconds);
