import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';

/** Lost sequence numbers, inclusive, with the times of the first and the last event. */
export interface LostSequenceRange {
  readonly first: number;
  readonly last: number;
  /** Milliseconds since 1970; null when unknown. */
  readonly from: number | null;
  readonly to: number | null;
  /** Of the numbers; absent when they may belong to several epochs. */
  readonly epoch?: string;
  /** Some of these numbers may never have been used. */
  readonly isAtMost?: boolean;
}

const earlier = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);
const later = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b);

/** Overlapping and adjacent ranges of the same epoch become one. */
export const mergeLostRanges = (ranges: readonly LostSequenceRange[]): LostSequenceRange[] => {
  const merged: LostSequenceRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.first - b.first)) {
    const before = merged.at(-1);
    if (before === undefined || range.first > before.last + 1 || range.epoch !== before.epoch) merged.push(range);
    else
      merged[merged.length - 1] = {
        first: before.first,
        last: Math.max(before.last, range.last),
        from: earlier(before.from, range.from),
        to: later(before.to, range.to),
        ...(before.epoch === undefined ? {} : { epoch: before.epoch }),
        ...(before.isAtMost === true || range.isAtMost === true ? { isAtMost: true } : {}),
      };
  }
  return merged;
};

/** A lost gap record also loses its own range, which must be reported again. */
export const listRangesLostWithEvent = ({ sequence, occurred_at, epoch, lost }: DeviceEvent): LostSequenceRange[] => {
  const own = { first: sequence, last: sequence, from: occurred_at, to: occurred_at };
  const ranges: LostSequenceRange[] = [epoch == null ? own : { ...own, epoch }];
  if (lost != null) {
    const { first, last, from, to, epoch: itsEpoch, at_most } = lost;
    const range = { first, last, from, to, ...(at_most === true ? { isAtMost: true } : {}) };
    ranges.push(itsEpoch == null ? range : { ...range, epoch: itsEpoch });
  }
  return ranges;
};
