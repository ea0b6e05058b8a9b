import type { SnapshotEntry } from '@lintel/wire-protocol/mqtt/snapshot-entry';
import type { ControllerStateStore } from '../state/controller-state-keys.ts';
import type { DataAuthenticator } from '../state/data-authenticator.ts';
import { AuthenticatedRecord } from '../state/authenticated-record.ts';

/**
 * A copy of the device, its site and its gadgets. If the snapshot does not verify, the controller still knows its doors:
 * exit buttons work, and a technician can open them with a commissioning credential.
 */
export class FallbackDoorStructure {
  readonly #record: AuthenticatedRecord;
  #entries: readonly SnapshotEntry[];

  constructor(state: ControllerStateStore, authenticator: DataAuthenticator) {
    this.#record = new AuthenticatedRecord(state, authenticator, ['door_structure']);
    const saved = this.#record.read();
    this.#entries = saved.kind === 'intact' ? (saved.value as SnapshotEntry[]) : [];
  }

  /** Contains no members and no rights. */
  get entries(): readonly SnapshotEntry[] {
    return this.#entries;
  }

  /** To be called after every change of the snapshot, and with an empty list for a new owner. */
  save(entries: readonly SnapshotEntry[]): void {
    if (JSON.stringify(entries) === JSON.stringify(this.#entries)) return;
    this.#entries = entries;
    this.#record.write(entries);
  }
}
