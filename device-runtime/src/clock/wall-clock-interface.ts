import type { Instant } from '@lintel/access-core/instant';

export type ClockSource = 'rtc' | 'bridge' | 'ntp' | 'floor';

/** `refused`: the reading is implausible. `unsaved`: the floor could not be written. */
export type ClockPollResult = 'fine' | 'refused' | 'unsaved';

/** The time of day. Only signed time of the bridge moves it backwards. */
export interface WallClock {
  now(): Instant;
  isTrusted(): boolean;
  source(): ClockSource;
  /** This run continues the clock of an earlier run, trusted or not. */
  isResumed(): boolean;
  /** Reads the operating system's clock. */
  poll(): ClockPollResult;
  /** For signed, fresh time of the bridge: the only source that may move the time by more than a day, or back. */
  setByBridge(time: Instant): void;
  /** Called when the operating system's clock moves the time or becomes implausible. */
  onSuspectTime(listener: () => void): void;
  /** Called when the time becomes trusted. `offset_ms`: how far the untrusted clock was behind. */
  onTrusted(listener: (offset_ms: number) => void): void;
}
