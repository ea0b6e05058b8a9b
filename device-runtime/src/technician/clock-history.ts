import type { Monotonic } from '@lintel/access-core/monotonic';
import { dateTimeOf } from '@lintel/wire-protocol/schema-parts/date-time';
import type { SupportBundle } from '@lintel/wire-protocol/technician/status';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { WallClock } from '../clock/wall-clock.ts';

type ClockChange = SupportBundle['clock_history'][number];

const MOST_CHANGES = 100;
/** The clocks run a little apart all the time. */
const STEP_MS = 2_000;

/** How the controller's time came about in this run: its steps, and who was believed. */
export class ClockHistory {
  readonly #clock: Pick<MonotonicClock, 'now'>;
  readonly #wall: WallClock;
  readonly #start: Monotonic;
  readonly #changes: ClockChange[] = [];
  #offset: number | null = null;

  constructor(clock: Pick<MonotonicClock, 'now'>, wall: WallClock) {
    this.#clock = clock;
    this.#wall = wall;
    this.#start = clock.now();
    this.look();
  }

  /** To be called now and then; a change is noted when it is seen. */
  look(): void {
    const now = this.#clock.now();
    const offset = this.#wall.now() - now;
    const stepped_ms = this.#offset === null ? 0 : Math.round(offset - this.#offset);
    const last = this.#changes.at(-1);
    this.#offset = offset;
    const [trusted, source] = [this.#wall.trusted(), this.#wall.source()];
    if (last?.trusted === trusted && last.source === source && Math.abs(stepped_ms) < STEP_MS) return;
    const time = dateTimeOf(this.#wall.now());
    this.#changes.push({ time, trusted, source, uptime_ms: Math.round(now - this.#start), stepped_ms });
    this.#changes.splice(0, Math.max(0, this.#changes.length - MOST_CHANGES));
  }

  list(): readonly ClockChange[] {
    this.look();
    return [...this.#changes];
  }

  get uptimeMs(): number {
    return Math.round(this.#clock.now() - this.#start);
  }
}
