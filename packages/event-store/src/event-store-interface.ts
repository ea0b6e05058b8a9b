import type { Instant } from '@lintel/access-core/instant';
import type { SequenceRange } from '@lintel/access-core/sequence-ranges';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';

/** `full`: no space. `damaged`: the file is corrupt. `failed`: the disk fails. */
export class EventStoreError extends Error {
  override readonly name = 'EventStoreError';
  readonly kind: 'full' | 'damaged' | 'failed';

  constructor(kind: 'full' | 'damaged' | 'failed', options?: ErrorOptions) {
    super(`The event store is ${kind === 'failed' ? 'not working' : kind}`, options);
    this.kind = kind;
  }
}

/** Lost sequence numbers, inclusive, with the times of the first and the last event. */
export interface LostSequenceRange {
  readonly first: number;
  readonly last: number;
  /** Milliseconds since 1970; null when unreadable. */
  readonly from: number | null;
  readonly to: number | null;
  /** Of the numbers; absent when they may belong to several epochs. */
  readonly epoch?: string;
  /** Some of these numbers may never have been used. */
  readonly isAtMost?: boolean;
}

/** Numbering saved outside of the event file, for when that file is lost. */
export interface SavedEventNumbering {
  /** No higher number was ever used. */
  readonly ceiling: number;
  /** All up to this number were confirmed. */
  readonly confirmed: number;
  /** The ceiling itself is the last used number. */
  readonly isExact?: boolean;
  /** Numbers that were reserved and not used before a crash. */
  readonly unused?: readonly SequenceRange[];
  /** Events that are lost unless they are written or uploaded: they are only in memory, or not reported yet. */
  readonly unreported?: readonly LostSequenceRange[];
}

export interface EventCleanupConditions {
  readonly now: Instant;
  /** Then events that the bridge has are deleted first. */
  readonly isDiskAlmostFull: boolean;
}

/** Results since the last call. */
export interface EventSalvageReport {
  readonly salvaged: number;
  readonly lost: readonly LostSequenceRange[];
  readonly done: boolean;
}

/** Events that the bridge has not confirmed yet, and confirmed ones for a while. All methods may throw EventStoreError. */
export interface EventStore {
  /** Flushes all events or none to the disk before it returns. Sequence numbers must ascend. */
  append(events: readonly DeviceEvent[]): void;
  /** The highest sequence number ever appended, or 0. */
  lastSequence(): number;
  /** Unconfirmed events with `after < sequence <= upTo`, in order. */
  read(after: number, upTo: number, limit: number): readonly DeviceEvent[];
  /** Whether the event itself is stored, not another one with its number. */
  contains(event: Pick<DeviceEvent, 'id' | 'sequence'>): boolean;
  /** The numbers from `first` to `last` without an event in the store. */
  missing(first: number, last: number): readonly SequenceRange[];
  /** The bridge has committed these events. */
  acknowledge(sequences: readonly number[]): void;
  /** The highest number that the bridge has confirmed. */
  highestConfirmed(): number;
  /** Confirmed events from this number on wait again. A limited number per call; false when there are no more. */
  requeue(from: number): boolean;
  /** The bridge has all events up to this number. */
  confirmedUpTo(): number;
  waitingCount(): number;
  /** The newest events first, including confirmed ones that are kept for display. */
  newest(limit: number): readonly DeviceEvent[];
  /** True when `makeRoom` is due. */
  isOverfull(): boolean;
  /** Deletes confirmed events first, then the oldest, which `createGaps` replaces by gap records. */
  makeRoom(createGaps: (lost: readonly LostSequenceRange[]) => readonly DeviceEvent[]): void;
  /** Slow work for idle times. False when there is no more for now. */
  tidy(conditions: EventCleanupConditions): boolean;
  /** Recovers from a failure, with a new file if necessary. Throws while it cannot. */
  recover(): void;
  /** Recovers a limited number of rows from a damaged file; null when there is no damaged file. */
  salvage(): EventSalvageReport | null;
  /** Renames the file and starts an empty one with higher numbers. */
  archive(): void;
  close(): void;
}
