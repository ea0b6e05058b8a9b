import type { Instant } from '@lintel/access-core/instant';

export type TimeSource = 'rtc' | 'bridge' | 'ntp' | 'floor';

/** How a look at the operating system's clock went. */
export type TimeLook = 'fine' | 'refused' | 'unsaved';

/** The time of day as far as the controller knows it. It never runs backwards but by signed bridge time. */
export interface WallClock {
  now(): Instant;
  trusted(): boolean;
  source(): TimeSource;
  /** Asks the operating system's clock. `refused`: it says what cannot be. `unsaved`: the floor could not be written. */
  look(): TimeLook;
  /** Signed by the bridge and fresh: the only word that may move the time by more than a day, or back. */
  setByBridge(time: Instant): void;
  /** To be told when the operating system's clock has moved the time, or begins to say what is not believed. */
  onDoubt(ring: () => void): void;
}
