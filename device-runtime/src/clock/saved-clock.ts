import * as z from 'zod';
import { type Instant, instant } from '@lintel/access-core/instant';
import { type MonotonicTime, monotonic } from '@lintel/access-core/monotonic-time';
import type { ClockState } from './trusted-clock-state-transitions.ts';

/** When the bridge set the time. */
export interface BridgeTimeAnchor {
  readonly anchor: Instant;
  readonly at: MonotonicTime;
}

/** The clock of a run, for a later run on the same machine start. */
export interface SavedClock {
  readonly boot_id: string;
  readonly clock: ClockState;
  readonly signed: BridgeTimeAnchor | null;
}

const anchored = {
  anchor: z.int().transform(time => instant(time)),
  at: z
    .number()
    .nonnegative()
    .transform(time => monotonic(time)),
};

const savedClockSchema = z.object({
  boot_id: z.string().min(1),
  clock: z.object({
    ...anchored,
    source: z.enum(['rtc', 'bridge', 'ntp', 'floor']),
    trusted: z.boolean(),
    isUnset: z.boolean(),
    stepped_ms: z.number(),
    isContradicted: z.boolean(),
  }),
  signed: z.object(anchored).nullable(),
});

/** Null when the machine was switched off since, so that its clock has started again. */
export const parseSavedClock = (saved: unknown, bootId: string | null, now: MonotonicTime): SavedClock | null => {
  const parsed = savedClockSchema.safeParse(saved);
  if (!parsed.success || bootId === null || parsed.data.boot_id !== bootId) return null;
  return Math.max(parsed.data.clock.at, parsed.data.signed?.at ?? 0) > now ? null : parsed.data;
};

const offsetOf = ({ anchor, at }: BridgeTimeAnchor): number => anchor - at;

/** Smaller changes are not worth a write to the SD card. */
const MOST_UNSAVED_MS = 1_000;

/** True when a resumed clock would differ. */
export const differsFromSavedClock = (
  saved: SavedClock | null,
  { clock, signed }: Omit<SavedClock, 'boot_id'>,
): boolean =>
  saved === null ||
  saved.clock.source !== clock.source ||
  saved.clock.trusted !== clock.trusted ||
  saved.clock.isContradicted !== clock.isContradicted ||
  (saved.signed === null) !== (signed === null) ||
  Math.abs(offsetOf(saved.clock) - offsetOf(clock)) > MOST_UNSAVED_MS ||
  (saved.signed !== null && signed !== null && Math.abs(offsetOf(saved.signed) - offsetOf(signed)) > MOST_UNSAVED_MS);
