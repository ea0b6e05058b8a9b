import type { Instant } from '@lintel/access-core/instant';
import type { SequenceRange } from '@lintel/access-core/sequence-ranges';
import {
  type EventNumbering,
  limitUnreportedEventRanges,
  dropConfirmedEventNumbers,
  RESERVED_EVENT_NUMBER_COUNT,
  reserveEventNumbers,
  startEventNumbering,
  takeEventNumber,
} from './event-numbering.ts';
import type { LostSequenceRange, SavedEventNumbering } from '@lintel/event-store/event-store-interface';
import type { ControllerStateStore } from '../state/controller-state-keys.ts';

/** Fewer writes save the SD card. An unsaved confirmation makes a loss look larger, not smaller. */
const SAVE_EVERY_MS = 60_000;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

export const readSavedEventNumbering = (state: ControllerStateStore): Required<SavedEventNumbering> => {
  const saved: Partial<Record<string, unknown>> = { ...(state.read('sequence_ceiling') as object | undefined) };
  const { ceiling, confirmed, is_exact, unused, unreported } = saved;
  return {
    ceiling: isCount(ceiling) ? ceiling : 0,
    confirmed: isCount(confirmed) ? confirmed : 0,
    isExact: is_exact === true,
    unused: Array.isArray(unused) ? (unused as SequenceRange[]) : [],
    unreported: Array.isArray(unreported) ? (unreported as LostSequenceRange[]) : [],
  };
};

/** Allocates the sequence numbers of events. Each is used once in an epoch, and once at all while the disk works. */
export class EventSequenceAllocator {
  /** Random, for each start of the controller. */
  readonly epoch: string;
  readonly #state: ControllerStateStore;
  #numbering: EventNumbering;
  #confirmed: number;
  #savedConfirmed: number;
  #unreported: readonly LostSequenceRange[];
  #savedAt: Instant | null = null;
  #areInUse = false;

  /** `lastKnown`: the highest number of an event that the controller still has. */
  constructor(state: ControllerStateStore, lastKnown: number, epoch: string) {
    this.epoch = epoch;
    this.#state = state;
    const saved = readSavedEventNumbering(state);
    this.#numbering = startEventNumbering(saved, lastKnown);
    this.#confirmed = saved.confirmed;
    this.#savedConfirmed = saved.confirmed;
    this.#unreported = saved.unreported;
  }

  get last(): number {
    return this.#numbering.last;
  }

  next(): number {
    this.#areInUse = true;
    if (takeEventNumber(this.#numbering) === null) this.#reserve();
    this.#numbering = takeEventNumber(this.#numbering)!;
    return this.#numbering.last;
  }

  startAfter(last: number): void {
    this.#numbering = { ...this.#numbering, last: Math.max(this.#numbering.last, last) };
  }

  get #left(): number {
    return this.#numbering.ceiling - this.#numbering.last;
  }

  /** Called after a door moved, so that the next event does not wait for a flush. */
  reserveIfLow(): void {
    if (this.#areInUse && this.#left < RESERVED_EVENT_NUMBER_COUNT / 4) this.#reserve();
  }

  /** Called when idle. */
  reserve(confirmed: number, now: Instant): void {
    this.#confirmed = Math.max(this.#confirmed, confirmed);
    this.#savedAt ??= now;
    const isLate = this.#confirmed > this.#savedConfirmed && Math.abs(now - this.#savedAt) >= SAVE_EVERY_MS;
    if (isLate) this.#savedAt = now;
    if (isLate || this.#left < RESERVED_EVENT_NUMBER_COUNT / 2) this.#reserve();
  }

  #reserve(): void {
    this.#numbering = reserveEventNumbers(this.#numbering);
    this.#save(false);
  }

  /** Events that would be lost without a report if the power failed now; also those of the previous run. */
  get unreported(): readonly LostSequenceRange[] {
    return this.#unreported;
  }

  setUnreported(ranges: readonly LostSequenceRange[]): void {
    const listed = limitUnreportedEventRanges(ranges);
    if (JSON.stringify(listed) === JSON.stringify(this.#unreported)) return;
    this.#unreported = listed;
    this.#save(false);
  }

  /** Saves the last used number instead of the reserved ones. */
  saveExact(confirmed: number): void {
    this.#confirmed = Math.max(this.#confirmed, confirmed);
    this.#numbering = { ...this.#numbering, ceiling: this.#numbering.last };
    this.#areInUse = false;
    this.#save(true);
  }

  /** Counts all used numbers as confirmed, for a new owner. */
  abandon(): void {
    const { last, ceiling } = this.#numbering;
    this.startAfter(Math.max(last, ceiling));
    this.#unreported = [];
    this.saveExact(this.#numbering.last);
  }

  #save(is_exact: boolean): void {
    this.#savedConfirmed = this.#confirmed;
    const { ceiling, unused } = this.#numbering;
    this.#state.write('sequence_ceiling', {
      ceiling,
      confirmed: this.#confirmed,
      is_exact,
      unused: dropConfirmedEventNumbers(unused, this.#confirmed),
      unreported: this.#unreported,
    });
  }
}
