import type { MemberId, MemberPinId } from '@lintel/access-core/ids';
import { entryKey, hashOfEntry } from '@lintel/device-link/session/snapshot/snapshot-entries';
import type { HeldRevision } from '@lintel/device-link/session/snapshot/snapshot-storage';
import type { SnapshotTarget } from '@lintel/device-link/session/snapshot/staged-chunks';
import type { Slice } from '@lintel/wire-protocol/mqtt/messages/slice';
import { SliceDigest } from '@lintel/wire-protocol/mqtt/slice-digest';
import type { KnownSliceEntry, SliceEntry } from '@lintel/wire-protocol/mqtt/slice-entry';

/** A member who may open this door. */
export interface Guest {
  readonly member_id: MemberId;
  readonly member_pin_id: MemberPinId;
}

/** As much of a snapshot as proves its digest and makes taps: hashes, the own gadgets, and who may open them. */
export class CompactSnapshot implements SnapshotTarget {
  readonly #deviceId: string;
  #hashes = new Map<string, Uint8Array>();
  #gadgets = new Map<string, string>();
  #guests = new Map<string, Guest>();
  held: HeldRevision | null = null;

  constructor(deviceId: string) {
    this.#deviceId = deviceId;
  }

  /** The action that a tap leads to. Null before there is a door. */
  get door(): { readonly gadget_id: string; readonly action_id: string } | null {
    for (const [gadget_id, action_id] of this.#gadgets) return { gadget_id, action_id };
    return null;
  }

  /** `chance` is from 0 up to 1, without 1. */
  guest(chance: number): Guest | null {
    const index = Math.floor(chance * this.#guests.size);
    return this.#guests.values().drop(index).next().value ?? null;
  }

  apply(chunks: readonly [Slice, ...Slice[]]): boolean {
    const [first] = chunks;
    const isWhole = first.from === null;
    const digest = new SliceDigest(isWhole ? undefined : this.held?.digest);
    const hashes = isWhole ? new Map<string, Uint8Array>() : new Map(this.#hashes);
    const remove = (key: string): void => {
      const before = hashes.get(key);
      if (before === undefined) return;
      digest.subtract(before);
      hashes.delete(key);
    };
    for (const { put, drop } of chunks) {
      for (const entry of put) {
        remove(entryKey(entry));
        const hash = hashOfEntry(entry);
        digest.add(hash);
        hashes.set(entryKey(entry), hash);
      }
      for (const key of drop) remove(entryKey(key));
    }
    if (digest.toString() !== first.digest) return false;
    this.#hashes = hashes;
    this.held = { revision: first.to, digest: first.digest };
    this.#index(chunks, isWhole);
    return true;
  }

  #index(chunks: readonly Slice[], isWhole: boolean): void {
    if (isWhole) {
      this.#gadgets = new Map();
      this.#guests = new Map();
    }
    for (const { put, drop } of chunks) {
      for (const entry of put) this.#put(entry);
      for (const { type, id } of drop) this.#drop(type, id);
    }
  }

  #put(entry: SliceEntry): void {
    const known = entry as KnownSliceEntry;
    if (known.type === 'gadget' && known.device_id === this.#deviceId) {
      const [action] = known.actions;
      if (action !== undefined) this.#gadgets.set(known.id, action.id);
    } else if (known.type === 'member') {
      const [pin] = known.pins;
      if (pin === undefined || known.is_deleted) this.#guests.delete(known.id);
      else this.#guests.set(known.id, { member_id: known.id, member_pin_id: pin.id });
    }
  }

  #drop(type: string, id: string): void {
    if (type === 'gadget') this.#gadgets.delete(id);
    else if (type === 'member') this.#guests.delete(id);
  }

  /** Until the next snapshot, which contains it. */
  revoke(revision: number, memberIds: readonly string[]): void {
    if (revision <= (this.held?.revision ?? -1)) return;
    for (const id of memberIds) this.#guests.delete(id);
  }
}
