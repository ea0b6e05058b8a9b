import type { ReplayWindow } from '@lintel/wire-protocol/mqtt/replay-window';

export interface SavedReplayWindow {
  /** Certificate serial or organization id: counters of another owner start again. */
  readonly owner: string;
  readonly window: ReplayWindow;
}

/** Where a device keeps the counters it has accepted. */
export interface ReplayWindowStore {
  read(): SavedReplayWindow | null;
  write(saved: SavedReplayWindow): void;
}

/** For a device whose counters need not survive a restart. */
export const volatileReplayWindowStore: ReplayWindowStore = { read: () => null, write: () => undefined };
