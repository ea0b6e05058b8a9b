import type { MemberId, MemberPinId } from '@lintel/access-core/ids';
import {
  type CompleteSnapshotTransfer,
  toSnapshotEntryKey,
  computeEntrySha256,
} from '@lintel/device-link/session/snapshot/apply-snapshot-chunks';
import type { StoredRevision } from '@lintel/device-link/session/snapshot/snapshot-storage-interface';
import type { InMemorySnapshot } from '@lintel/device-link/session/snapshot/in-memory-staged-chunks';
import { SnapshotDigest } from '@lintel/wire-protocol/mqtt/snapshot-digest';
import type { SnapshotEntryOfKnownType, SnapshotEntry } from '@lintel/wire-protocol/mqtt/snapshot-entry';

/** A member with access to this door. */
export interface FleetDoorMember {
  readonly member_id: MemberId;
  readonly member_pin_id: MemberPinId;
}

/** The part of a snapshot that the digest check and the simulated taps need: hashes, own gadgets and members. */
export class CompactFleetSnapshot implements InMemorySnapshot {
  readonly #deviceId: string;
  #hashes = new Map<string, Uint8Array>();
  #gadgets = new Map<string, string>();
  #members = new Map<string, FleetDoorMember>();
  held: StoredRevision | null = null;

  constructor(deviceId: string) {
    this.#deviceId = deviceId;
  }

  /** The action that a tap triggers. Null without a door. */
  get door(): { readonly gadget_id: string; readonly action_id: string } | null {
    for (const [gadget_id, action_id] of this.#gadgets) return { gadget_id, action_id };
    return null;
  }

  /** A random member. `random` is at least 0 and less than 1. */
  pickMember(random: number): FleetDoorMember | null {
    const index = Math.floor(random * this.#members.size);
    return this.#members.values().drop(index).next().value ?? null;
  }

  apply({ from, to, digest: announced, chunks }: CompleteSnapshotTransfer): boolean {
    const isComplete = from === null;
    const digest = new SnapshotDigest(isComplete ? undefined : this.held?.digest);
    const hashes = isComplete ? new Map<string, Uint8Array>() : new Map(this.#hashes);
    const remove = (key: string): void => {
      const before = hashes.get(key);
      if (before === undefined) return;
      digest.subtract(before);
      hashes.delete(key);
    };
    for (const { put, drop } of chunks) {
      for (const entry of put) {
        remove(toSnapshotEntryKey(entry));
        const hash = computeEntrySha256(entry);
        digest.add(hash);
        hashes.set(toSnapshotEntryKey(entry), hash);
      }
      for (const key of drop) remove(toSnapshotEntryKey(key));
    }
    if (digest.toString() !== announced) return false;
    this.#hashes = hashes;
    this.held = { revision: to, digest: announced };
    this.#index(chunks, isComplete);
    return true;
  }

  #index(chunks: CompleteSnapshotTransfer['chunks'], isComplete: boolean): void {
    if (isComplete) {
      this.#gadgets = new Map();
      this.#members = new Map();
    }
    for (const { put, drop } of chunks) {
      for (const entry of put) this.#put(entry);
      for (const { type, id } of drop) this.#drop(type, id);
    }
  }

  #put(entry: SnapshotEntry): void {
    const known = entry as SnapshotEntryOfKnownType;
    if (known.type === 'gadget' && known.device_id === this.#deviceId) {
      const [action] = known.actions;
      if (action !== undefined) this.#gadgets.set(known.id, action.id);
    } else if (known.type === 'member') {
      const [pin] = known.pins;
      if (pin === undefined || known.is_deleted) this.#members.delete(known.id);
      else this.#members.set(known.id, { member_id: known.id, member_pin_id: pin.id });
    }
  }

  #drop(type: string, id: string): void {
    if (type === 'gadget') this.#gadgets.delete(id);
    else if (type === 'member') this.#members.delete(id);
  }

  /** Removes members until the next snapshot, which no longer contains them. */
  revoke(revision: number, memberIds: readonly string[]): void {
    if (revision <= (this.held?.revision ?? -1)) return;
    for (const id of memberIds) this.#members.delete(id);
  }
}
