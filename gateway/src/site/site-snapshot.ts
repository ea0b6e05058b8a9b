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

type HeldSnapshot = NonNullable<SiteSnapshotFileContent['snapshot']>;

/** The gateway's snapshot of its site, and the counters of its downlink messages, in one file. */
export class SiteSnapshot implements InMemorySnapshot, ReplayWindowStore {
  readonly #file: SiteSnapshotFile;
  readonly #enrollment: () => DeviceEnrollment;
  readonly #onSaved: (error: Error | null) => void;
  #held: HeldSnapshot | null;
  #window: SavedReplayWindow | null;
  #peers: PeerDirectory;

  /** `onSaved` is called after each attempt: with null when it succeeded. */
  constructor(file: SiteSnapshotFile, enrollment: () => DeviceEnrollment, onSaved: (error: Error | null) => void) {
    this.#file = file;
    this.#enrollment = enrollment;
    this.#onSaved = onSaved;
    const saved = file.read(enrollment().device_id);
    this.#held = saved?.snapshot ?? null;
    this.#window = saved === null ? null : { owner: saved.serial, window: saved.window };
    this.#peers = new PeerDirectory(this.#held?.entries ?? []);
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
    const { device_id, serial } = this.#enrollment();
    const { owner, window } = this.#window ?? { owner: serial, window: emptyReplayWindow };
    try {
      this.#file.write({ device_id, serial: owner, window, snapshot: this.#held });
      this.#onSaved(null);
    } catch (error) {
      this.#onSaved(error as Error);
    }
  }
}
