/** Somebody outside who restarts the process when it no longer says that it is well. */
export interface Watchdog {
  /** How often a sign of life is due; null when nobody watches. */
  readonly interval_ms: number | null;
  ready(): void;
  alive(): void;
  stopping(): void;
}
