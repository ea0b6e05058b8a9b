import type { SequenceRange } from '@lintel/access-core/sequence-ranges';
import type { LostSequenceRange, SavedEventNumbering } from '@lintel/event-store/event-store-interface';

/** Numbers reserved with one write. At most so many are skipped after a crash. */
export const RESERVED_EVENT_NUMBER_COUNT = 64;
/** Limits the size of the saved state. */
const MAX_UNUSED_RANGES = 40;
const MAX_UNREPORTED_RANGES = 20;

/** The state of the numbering. `ceiling`: the highest reserved number; higher ones must not be used. */
export interface EventNumbering {
  readonly last: number;
  readonly ceiling: number;
  readonly unused: readonly SequenceRange[];
}

/**
 * At the start of a controller. `lastKnown`: the highest number of an event that it still has. Events with higher numbers
 * may have been sent from memory before a crash, so numbering continues above all reserved numbers.
 */
export const startEventNumbering = (saved: SavedEventNumbering, lastKnown: number): EventNumbering => {
  const { ceiling, isExact = false, unused = [], unreported = [] } = saved;
  const last = Math.max(lastKnown, ceiling);
  const lastUsed = Math.max(lastKnown, ...unreported.map(range => range.last));
  const skipped: SequenceRange[] = isExact || lastUsed >= last ? [] : [[lastUsed + 1, last]];
  return { last, ceiling, unused: [...unused, ...skipped] };
};

/** The next number; null when numbers must be reserved and saved first. */
export const takeEventNumber = ({ last, ceiling, ...others }: EventNumbering): EventNumbering | null =>
  last >= ceiling ? null : { ...others, ceiling, last: last + 1 };

export const reserveEventNumbers = (numbering: EventNumbering): EventNumbering => ({
  ...numbering,
  ceiling: Math.max(numbering.ceiling, numbering.last + RESERVED_EVENT_NUMBER_COUNT),
});

/** Confirmed numbers need no record. */
export const dropConfirmedEventNumbers = (
  unused: readonly SequenceRange[],
  confirmed: number,
): readonly SequenceRange[] => unused.filter(([, last]) => last > confirmed).slice(-MAX_UNUSED_RANGES);

/** The newest ranges are merged if there are too many. Numbers between them are then in the range, too. */
export const limitUnreportedEventRanges = (ranges: readonly LostSequenceRange[]): readonly LostSequenceRange[] => {
  if (ranges.length <= MAX_UNREPORTED_RANGES) return ranges;
  const [kept, merged] = [ranges.slice(0, MAX_UNREPORTED_RANGES - 1), ranges.slice(MAX_UNREPORTED_RANGES - 1)];
  const { epoch: _, ...first } = merged[0]!;
  const { last, to } = merged.at(-1)!;
  return [...kept, { ...first, last, to, isAtMost: true }];
};
