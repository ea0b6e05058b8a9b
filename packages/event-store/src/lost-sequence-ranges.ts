import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type { LostSequenceRange } from './event-store-interface.ts';

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

/** The parts of `first` to `last` that are in none of the ranges. */
export const listMissingRanges = (
  ranges: readonly LostSequenceRange[],
  first: number,
  last: number,
): LostSequenceRange[] => {
  const holes: LostSequenceRange[] = [];
  let next = first;
  for (const range of mergeLostRanges(ranges)) {
    if (range.first > last) break;
    if (range.first > next) holes.push({ first: next, last: range.first - 1, from: null, to: null });
    next = Math.max(next, range.last + 1);
  }
  if (next <= last) holes.push({ first: next, last, from: null, to: null });
  return holes;
};

/** A dropped gap record also loses its own range, which must be reported again. */
export const listRangesLostWithEvent = (event: DeviceEvent): LostSequenceRange[] => {
  const { sequence, occurred_at, epoch, lost } = event;
  const epochOf = (value: string | null | undefined) => (value == null ? {} : { epoch: value });
  const own = { first: sequence, last: sequence, from: occurred_at, to: occurred_at, ...epochOf(epoch) };
  if (lost == null) return [own];
  const { first, last, from, to } = lost;
  return [own, { first, last, from, to, ...epochOf(lost.epoch) }];
};
