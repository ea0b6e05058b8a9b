import { DAY_MS } from '@lintel/access-core/durations';
import { type Instant, instant } from '@lintel/access-core/instant';

/** The first release. A clock before it is wrong. */
export const EARLIEST_CREDIBLE_TIME = Date.parse('2026-01-01T00:00:00Z');
const SAVE_EVERY_MS = 10 * 60_000;

export type GatewayTimeSource = 'floor' | 'system' | 'bridge';

export interface GatewayClockDependencies {
  /** Milliseconds of a clock that only runs forward. */
  readonly monotonic: () => number;
  /** The operating system's clock, which may be wrong. */
  readonly system: () => number;
  /** The latest time saved before the restart. */
  readonly floor: number | null;
  readonly save: (floor: number) => void;
}

/**
 * The gateway's own time. At the start it is the system clock, unless that is behind the floor or more than a day ahead of it.
 * Afterwards it follows the monotonic clock, and only signed messages of the bridge set it.
 */
export class GatewayClock {
  readonly #deps: GatewayClockDependencies;
  #anchor: number;
  #at: number;
  #source: GatewayTimeSource = 'floor';
  #saved: number;

  constructor(deps: GatewayClockDependencies) {
    this.#deps = deps;
    const floor = Math.max(deps.floor ?? EARLIEST_CREDIBLE_TIME, EARLIEST_CREDIBLE_TIME);
    const system = deps.system();
    const isCredible = system >= floor && (deps.floor === null || system - floor <= DAY_MS);
    this.#anchor = isCredible ? system : floor;
    this.#at = deps.monotonic();
    if (isCredible) this.#source = 'system';
    this.#saved = deps.floor ?? 0;
  }

  now(): Instant {
    return instant(Math.floor(this.#anchor + Math.max(0, this.#deps.monotonic() - this.#at)));
  }

  get source(): GatewayTimeSource {
    return this.#source;
  }

  get isTrusted(): boolean {
    return this.#source === 'bridge';
  }

  /**
   * Without a saved floor, replaces a system clock that is before the issue time of the certificate or more than a day after it.
   * With a clock that is years ahead, every certificate would look expired and the bridge could never correct the clock.
   */
  setCertificateIssueTime(issued: number): void {
    const ahead = this.now() - issued;
    if (this.#deps.floor !== null || this.#source === 'bridge' || (ahead >= 0 && ahead <= DAY_MS)) return;
    this.#anchor = Math.max(issued, EARLIEST_CREDIBLE_TIME);
    this.#at = this.#deps.monotonic();
    this.#source = 'floor';
  }

  /** The caller has verified the signature and the freshness. Moves the time in either direction. */
  setByBridge(time: number): void {
    this.#anchor = time;
    this.#at = this.#deps.monotonic();
    this.#source = 'bridge';
    this.save();
  }

  saveIfDue(): void {
    if (Math.abs(this.now() - this.#saved) >= SAVE_EVERY_MS) this.save();
  }

  save(): void {
    this.#saved = this.now();
    this.#deps.save(this.#saved);
  }
}
