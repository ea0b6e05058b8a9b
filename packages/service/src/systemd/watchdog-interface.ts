/** A supervisor that restarts the process when its heartbeats stop. */
export interface Watchdog {
  /** Interval of the heartbeats; null without a supervisor. */
  readonly interval_ms: number | null;
  ready(): void;
  alive(): void;
  stopping(): void;
}
