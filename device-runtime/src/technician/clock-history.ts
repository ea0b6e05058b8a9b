import type { MonotonicTime } from '@lintel/access-core/monotonic-time';
import { toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import type { SupportBundle } from '@lintel/wire-protocol/technician/status-and-support-bundle';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { WallClock } from '../clock/wall-clock-interface.ts';

type ClockChange = SupportBundle['clock_history'][number];

const MOST_CHANGES = 100;
/** Smaller differences are drift. */
const STEP_MS = 2_000;

/** Steps and sources of the clock in this run. */
export class ClockHistory {
  readonly #clock: Pick<MonotonicClock, 'now'>;
  readonly #wall: WallClock;
  readonly #start: MonotonicTime;
  readonly #changes: ClockChange[] = [];
  #offset: number | null = null;

  constructor(clock: Pick<MonotonicClock, 'now'>, wall: WallClock) {
    this.#clock = clock;
    this.#wall = wall;
    this.#start = clock.now();
    this.update();
  }

  /** To be called regularly. Records changes. */
  update(): void {
    const now = this.#clock.now();
    const offset = this.#wall.now() - now;
    const stepped_ms = this.#offset === null ? 0 : Math.round(offset - this.#offset);
    const last = this.#changes.at(-1);
    this.#offset = offset;
    const [trusted, source] = [this.#wall.isTrusted(), this.#wall.source()];
    if (last?.trusted === trusted && last.source === source && Math.abs(stepped_ms) < STEP_MS) return;
    const time = toDateTime(this.#wall.now());
    this.#changes.push({ time, trusted, source, uptime_ms: Math.round(now - this.#start), stepped_ms });
    this.#changes.splice(0, Math.max(0, this.#changes.length - MOST_CHANGES));
  }

  list(): readonly ClockChange[] {
    this.update();
    return [...this.#changes];
  }

  get uptimeMs(): number {
    return Math.round(this.#clock.now() - this.#start);
  }
}
