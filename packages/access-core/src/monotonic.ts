import type { Brand } from './brand.ts';

/**
 * Milliseconds of a clock that only runs forward and starts anywhere. Apart from `Instant`, so that no timer of a door
 * or a keypad can follow the wall clock by mistake.
 */
export type Monotonic = Brand<number, 'Monotonic'>;

export const monotonic = (milliseconds: number): Monotonic => milliseconds as Monotonic;

export const after = (at: Monotonic, milliseconds: number): Monotonic => monotonic(at + milliseconds);
