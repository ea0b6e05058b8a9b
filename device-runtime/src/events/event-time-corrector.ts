import * as z from 'zod';
import { instant } from '@lintel/access-core/instant';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type { WallClock } from '../clock/wall-clock-interface.ts';
import type { ControllerStateStore } from '../state/controller-state-keys.ts';

/** Events of this many power cycles can wait for the bridge with their corrections. */
const MOST_CORRECTIONS = 100;

const savedSchema = z.object({
  /** The first event of the current untrusted clock; null when the time is trusted. */
  untrusted_from: z.int().nullable(),
  corrections: z.array(z.object({ first: z.int(), last: z.int(), offset_ms: z.int() })),
});
type SavedEventTimes = z.infer<typeof savedSchema>;

const readSaved = (state: ControllerStateStore): SavedEventTimes => {
  const parsed = savedSchema.safeParse(state.read('event_times'));
  return parsed.success ? parsed.data : { untrusted_from: null, corrections: [] };
};

export interface EventTimeCorrectorDependencies {
  readonly state: ControllerStateStore;
  readonly clock: WallClock;
  readonly lastSequence: () => number;
}

/**
 * Corrects the times of events that were recorded before the time was known. Within one start of the machine the
 * untrusted clock runs evenly, so one offset corrects all of them. Events of an earlier power cycle keep their times.
 */
export class EventTimeCorrector {
  readonly #parts: EventTimeCorrectorDependencies;
  #saved: SavedEventTimes;
  #isReleased = false;

  constructor(parts: EventTimeCorrectorDependencies) {
    const { clock, state, lastSequence } = parts;
    this.#parts = parts;
    this.#saved = readSaved(state);
    const isContinued = clock.isResumed() && this.#saved.untrusted_from !== null;
    const untrusted_from = clock.isTrusted() ? null : isContinued ? this.#saved.untrusted_from : lastSequence() + 1;
    if (untrusted_from !== this.#saved.untrusted_from) this.#save({ ...this.#saved, untrusted_from });
    clock.onTrusted(offset_ms => this.#correct(offset_ms));
  }

  #correct(offset_ms: number): void {
    const { untrusted_from: first, corrections } = this.#saved;
    if (first === null) return;
    const added = { first, last: this.#parts.lastSequence(), offset_ms };
    this.#save({ untrusted_from: null, corrections: [...corrections, added].slice(-MOST_CORRECTIONS) });
  }

  #save(saved: SavedEventTimes): void {
    this.#saved = saved;
    this.#parts.state.write('event_times', saved);
  }

  /** The event with its corrected time, if its offset is known. */
  correct(event: DeviceEvent): DeviceEvent {
    if (event.time_trusted) return event;
    const { sequence, occurred_at } = event;
    const known = this.#saved.corrections.find(({ first, last }) => first <= sequence && sequence <= last);
    if (known === undefined) return event;
    return { ...event, occurred_at: instant(occurred_at + known.offset_ms), device_time: occurred_at };
  }

  /** Its time will be corrected when the time is known, so it is not uploaded before. */
  isAwaitingTime({ time_trusted, sequence }: DeviceEvent): boolean {
    const { untrusted_from } = this.#saved;
    return !time_trusted && untrusted_from !== null && sequence >= untrusted_from && !this.#isReleased;
  }

  /** The bridge is reachable but its time is not accepted: events are uploaded as they are, until the next connection. */
  release(isReleased: boolean): void {
    this.#isReleased = isReleased;
  }
}
