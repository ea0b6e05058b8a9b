import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';

/** `full`: no space. `damaged`: the file is not what was written. `failed`: the disk does not obey. */
export class EventStoreError extends Error {
  override readonly name = 'EventStoreError';
  readonly kind: 'full' | 'damaged' | 'failed';

  constructor(kind: 'full' | 'damaged' | 'failed', options?: ErrorOptions) {
    super(`the event store is ${kind === 'failed' ? 'not working' : kind}`, options);
    this.kind = kind;
  }
}

/** Sequence numbers that are gone for good, both ends included, and when the first and the last of them happened. */
export interface LostRange {
  readonly first: number;
  readonly last: number;
  /** Milliseconds since 1970; null where nothing of them could be read. */
  readonly from: number | null;
  readonly to: number | null;
  /** Nobody knows whether all of these numbers were used. */
  readonly isAtMost?: boolean;
}

/** What is remembered elsewhere of the sequence, for the day when the events themselves are gone. */
export interface SequenceMemory {
  /** No number above it was ever used. */
  readonly ceiling: number;
  /** All up to here were confirmed. */
  readonly confirmed: number;
  /** The last number in use is the ceiling itself. */
  readonly isExact?: boolean;
}

/** What has been found out since the last call, told once. */
export interface SalvageReport {
  readonly salvaged: number;
  readonly lost: readonly LostRange[];
  readonly done: boolean;
}

/** Everything that happened and that the bridge has not confirmed yet. All methods may throw EventStoreError. */
export interface EventStore {
  /** Flushed to the disk when it returns, all or none. Sequence numbers ascend from call to call. */
  append(events: readonly DeviceEvent[]): void;
  /** The highest sequence number that was ever appended, 0 before the first. */
  lastSequence(): number;
  /** Unconfirmed events with `after < sequence <= upTo`, in order. */
  read(after: number, upTo: number, limit: number): readonly DeviceEvent[];
  /** The bridge has committed all up to `upTo`, and these beyond it. */
  acknowledge(upTo: number, sequences: readonly number[]): void;
  /** The bridge has everything up to here. */
  confirmedUpTo(): number;
  waiting(): number;
  /** The newest events, newest first, confirmed ones included as far as they are kept. */
  newest(limit: number): readonly DeviceEvent[];
  /** Beyond its limits: `makeRoom` is due. */
  isOverfull(): boolean;
  /** Confirmed events that are still kept go first; then the oldest, replaced by the gap records that `tell` makes. */
  makeRoom(tell: (lost: readonly LostRange[]) => readonly DeviceEvent[]): void;
  /** Work that may take a moment, when the door has nothing to do. False when there is no more of it for now. */
  tidy(): boolean;
  /** After a failure: tries to get back to work, on a new file if need be. Throws while it cannot. */
  recover(): void;
  /** Moves rows out of a damaged file, a bounded number with each call; null when there is none. */
  salvage(): SalvageReport | null;
  /** Renames the file, and starts an empty one with higher numbers. */
  leaveBehind(): void;
  close(): void;
}
