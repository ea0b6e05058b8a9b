import type { Instant } from '@lintel/access-core/instant';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type { ControllerStateStore } from '../state/controller-state-keys.ts';
import type { SavedEventNumbering } from './event-store.ts';
import { type EventNumber, type LastEventNumber, noLastEventNumber } from './last-number-file.ts';

/** Numbers reserved with one write. At most so many are skipped after a crash. */
const RESERVED_EVENT_NUMBER_COUNT = 64;
/** Fewer writes save the SD card. An unsaved confirmation makes a loss look larger, not smaller. */
const SAVE_EVERY_MS = 60_000;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** `copied`: events that the previous process could not write. */
export const readSavedEventNumbering = (
  state: Pick<ControllerStateStore, 'read'>,
  lastNumber: Pick<LastEventNumber, 'read'> = noLastEventNumber,
  copied: readonly DeviceEvent[] = [],
): SavedEventNumbering => {
  const { ceiling, confirmed, is_exact }: Partial<Record<string, unknown>> = {
    ...(state.read('sequence_ceiling') as object | undefined),
  };
  const [highest, isExact] = [isCount(ceiling) ? ceiling : 0, is_exact === true];
  const last = copied.reduce(
    (highest: EventNumber | null, { sequence, epoch }) =>
      sequence > (highest?.sequence ?? 0) ? { sequence, epoch: epoch ?? '' } : highest,
    lastNumber.read(),
  );
  return {
    ceiling: highest,
    confirmed: isCount(confirmed) ? confirmed : 0,
    isExact,
    lastUsed: Math.max(isExact ? highest : 0, last?.sequence ?? 0),
    ...(last === null ? {} : { lastEpoch: last.epoch }),
  };
};

/** Allocates the sequence numbers of events. Each is used once in an epoch, and once at all while the disk works. */
export class EventSequenceAllocator {
  /** Random, for each start of the controller. */
  readonly epoch: string;
  readonly #state: ControllerStateStore;
  readonly #lastNumber: LastEventNumber;
  #last: number;
  #ceiling: number;
  #confirmed: number;
  #savedConfirmed: number;
  #savedAt: Instant | null = null;
  #areInUse = false;

  /** `lastKnown`: the highest number of an event that the controller still has. */
  constructor(
    state: ControllerStateStore,
    lastKnown: number,
    epoch: string,
    lastNumber: LastEventNumber = noLastEventNumber,
  ) {
    this.epoch = epoch;
    this.#state = state;
    this.#lastNumber = lastNumber;
    const { ceiling, confirmed, lastUsed } = readSavedEventNumbering(state, lastNumber);
    this.#ceiling = ceiling;
    // Higher numbers may have been sent from memory before a crash.
    this.#last = Math.max(lastKnown, ceiling, lastUsed);
    this.#confirmed = confirmed;
    this.#savedConfirmed = confirmed;
  }

  get last(): number {
    return this.#last;
  }

  next(): number {
    this.#areInUse = true;
    if (this.#last >= this.#ceiling) this.#reserve();
    this.#last += 1;
    return this.#last;
  }

  /** The event with the last number is on the disk, or it waits in memory. */
  recorded({ isStored }: { readonly isStored: boolean }): void {
    this.#lastNumber.write({ sequence: this.#last, epoch: this.epoch }, { isFlushed: !isStored });
  }

  startAfter(last: number): void {
    this.#last = Math.max(this.#last, last);
  }

  get #left(): number {
    return this.#ceiling - this.#last;
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
    this.#ceiling = Math.max(this.#ceiling, this.#last + RESERVED_EVENT_NUMBER_COUNT);
    this.#save(false);
  }

  /** Saves the last used number instead of the reserved ones. */
  saveExact(confirmed: number): void {
    this.#confirmed = Math.max(this.#confirmed, confirmed);
    this.#ceiling = this.#last;
    this.#areInUse = false;
    this.#save(true);
  }

  /** Counts all used numbers as confirmed, for a new owner. */
  abandon(): void {
    this.startAfter(this.#ceiling);
    this.saveExact(this.#last);
  }

  #save(is_exact: boolean): void {
    this.#savedConfirmed = this.#confirmed;
    this.#state.write('sequence_ceiling', { ceiling: this.#ceiling, confirmed: this.#confirmed, is_exact });
  }
}
