import { hash } from 'node:crypto';
import type { MemberId, MemberPinId } from '@lintel/access-core/ids';
import type { Slice } from '@lintel/wire-protocol/mqtt/messages/slice';
import { entryHash, SliceDigest } from '@lintel/wire-protocol/mqtt/slice-digest';
import type { KnownSliceEntry, SliceEntry } from '@lintel/wire-protocol/mqtt/slice-entry';

const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');
const keyOf = ({ type, id }: { readonly type: string; readonly id: string }): string => `${type} ${id}`;

/** Somebody who may tap here. */
export interface Guest {
  readonly member_id: MemberId;
  readonly member_pin_id: MemberPinId;
}

export interface HeldRevision {
  readonly revision: number;
  readonly digest: string;
}

type Verdict = 'applied' | 'wrong base' | 'wrong digest';

/** As much of a slice as proves its digest and makes taps: hashes, the own gadgets, and who may open them. No index. */
export class HeldSlice {
  readonly #deviceId: string;
  #hashes = new Map<string, Uint8Array>();
  #gadgets = new Map<string, string>();
  #guests = new Map<string, Guest>();
  held: HeldRevision | null = null;

  constructor(deviceId: string) {
    this.#deviceId = deviceId;
  }

  /** The action that a tap here leads to. Null before there is a door. */
  get door(): { readonly gadget_id: string; readonly action_id: string } | null {
    for (const [gadget_id, action_id] of this.#gadgets) return { gadget_id, action_id };
    return null;
  }

  /** `chance` is from 0 up to 1, without 1. */
  guest(chance: number): Guest | null {
    const index = Math.floor(chance * this.#guests.size);
    return this.#guests.values().drop(index).next().value ?? null;
  }

  /** All chunks of a change, or nothing. */
  apply(chunks: readonly Slice[]): Verdict {
    const [first] = chunks;
    if (first === undefined || (first.from !== null && first.from !== this.held?.revision)) return 'wrong base';
    const isSnapshot = first.from === null;
    const digest = new SliceDigest(isSnapshot ? undefined : this.held?.digest);
    const hashes = isSnapshot ? new Map<string, Uint8Array>() : new Map(this.#hashes);
    const takeOut = (key: string): void => {
      const before = hashes.get(key);
      if (before === undefined) return;
      digest.subtract(before);
      hashes.delete(key);
    };
    for (const { put, drop } of chunks) {
      for (const entry of put) {
        takeOut(keyOf(entry));
        const made = entryHash(entry, sha256);
        digest.add(made);
        hashes.set(keyOf(entry), made);
      }
      for (const key of drop) takeOut(keyOf(key));
    }
    if (digest.toString() !== first.digest) return 'wrong digest';
    this.#hashes = hashes;
    this.held = { revision: first.to, digest: first.digest };
    this.#learn(chunks, isSnapshot);
    return 'applied';
  }

  #learn(chunks: readonly Slice[], isSnapshot: boolean): void {
    if (isSnapshot) {
      this.#gadgets = new Map();
      this.#guests = new Map();
    }
    for (const { put, drop } of chunks) {
      for (const entry of put) this.#note(entry);
      for (const { type, id } of drop) this.#forget(type, id);
    }
  }

  #note(entry: SliceEntry): void {
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

  #forget(type: string, id: string): void {
    if (type === 'gadget') this.#gadgets.delete(id);
    else if (type === 'member') this.#guests.delete(id);
  }

  /** Ahead of the slice that will say it again. */
  revoke(memberIds: readonly string[]): void {
    for (const id of memberIds) this.#guests.delete(id);
  }
}
