import type { DeviceEnrollment } from '@lintel/device-link/identity/device-enrollment';
import type {
  ReplayWindowStore,
  SavedReplayWindow,
} from '@lintel/device-link/session/downlink/replay-window-store-interface';
import {
  applySnapshotChunks,
  type CompleteSnapshotTransfer,
  toSnapshotEntryKey,
} from '@lintel/device-link/session/snapshot/apply-snapshot-chunks';
import type { InMemorySnapshot } from '@lintel/device-link/session/snapshot/in-memory-staged-chunks';
import { emptyReplayWindow } from '@lintel/wire-protocol/mqtt/replay-window';
import { PeerDirectory } from './peer-directory.ts';
import type { SiteSnapshotFile, SiteSnapshotFileContent } from './site-snapshot-file.ts';

type HeldSnapshot = NonNullable<SiteSnapshotFileContent['slice']>;

/** The gateway's snapshot of its site, and the counters of its downlink messages, in one file. */
export class SiteSnapshot implements InMemorySnapshot, ReplayWindowStore {
  readonly #file: SiteSnapshotFile;
  readonly #enrollment: () => DeviceEnrollment;
  readonly #onSaved: (error: Error | null) => void;
  #held: HeldSnapshot | null = null;
  #window: SavedReplayWindow | null = null;
  #peers = new PeerDirectory([]);
  #isRead = false;

  /** `onSaved` is called after each attempt: with null when it succeeded. */
  constructor(file: SiteSnapshotFile, enrollment: () => DeviceEnrollment, onSaved: (error: Error | null) => void) {
    this.#file = file;
    this.#enrollment = enrollment;
    this.#onSaved = onSaved;
    this.readAgain();
  }

  /** Reads a file that could not be read before. What has arrived since is kept. False while it cannot be read. */
  readAgain(): boolean {
    if (this.#isRead) return true;
    const saved = this.#file.read(this.#enrollment().device_id);
    if (saved === undefined) return false;
    this.#isRead = true;
    if (saved === null) return true;
    if (this.#held === null && saved.slice !== null) {
      this.#held = saved.slice;
      this.#peers = new PeerDirectory(saved.slice.entries);
    }
    const { serial: owner, window } = saved;
    const isNewer = this.#window?.owner === owner && this.#window.window.highest > window.highest;
    if (!isNewer) this.#window = { owner, window };
    return true;
  }

  get held(): HeldSnapshot | null {
    return this.#held;
  }

  get peers(): PeerDirectory {
    return this.#peers;
  }

  apply(transfer: CompleteSnapshotTransfer): boolean {
    const { to: revision, digest } = transfer;
    const before = new Map((this.#held?.entries ?? []).map(entry => [toSnapshotEntryKey(entry), entry]));
    const applied = applySnapshotChunks(before, transfer);
    if (applied === null) return false;
    const entries = [...applied.values()];
    this.#held = { revision, digest, entries };
    this.#peers = new PeerDirectory(entries);
    this.save();
    return true;
  }

  read(): SavedReplayWindow | null {
    return this.#window;
  }

  write(window: SavedReplayWindow): void {
    this.#window = window;
    this.save();
  }

  /** Called again while the file cannot be written. */
  save(): void {
    // A file that cannot be read now is not replaced by one without a snapshot.
    if (this.#held === null && !this.readAgain()) return;
    this.#isRead = true;
    const { device_id, serial } = this.#enrollment();
    const { owner, window } = this.#window ?? { owner: serial, window: emptyReplayWindow };
    try {
      this.#file.write({ device_id, serial: owner, window, slice: this.#held });
      this.#onSaved(null);
    } catch (error) {
      this.#onSaved(error as Error);
    }
  }
}
