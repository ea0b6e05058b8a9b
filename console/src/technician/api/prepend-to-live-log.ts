import type { TechnicianLiveMessage } from '@lintel/wire-protocol/technician/live-message';

export interface LiveLogEntry {
  readonly number: number;
  readonly at: number;
  readonly event: TechnicianLiveMessage;
}

/** Limits the memory of a page that stays open for days. */
const MAX_ENTRIES = 500;

/** Newest first. */
export const prependToLiveLog = (
  log: readonly LiveLogEntry[],
  event: TechnicianLiveMessage,
  at: number,
): readonly LiveLogEntry[] => [{ number: (log[0]?.number ?? 0) + 1, at, event }, ...log.slice(0, MAX_ENTRIES - 1)];
