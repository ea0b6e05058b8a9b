import type { Session, SliceScope } from '../sessions.ts';
import type { OrganizationView, OwnStructure } from './organization-view.ts';
import { type SliceDelta, wholeSlice } from './slice-delta.ts';
import { type EntryText, keyOf, SliceHashes } from './slice-hashes.ts';
import type { SliceStates } from './slice-states.ts';
import { SliceTransfer } from './slice-transfer.ts';

/** Whole slices are built a few at a time: each takes its share of the processor. */
const MOST_AT_ONCE = 2;

/** Puts together what a controller is sent, and keeps the hashes from which the next digest is made. */
export class SliceBuilder {
  readonly #states: SliceStates;
  readonly #chunkCharacters: number | undefined;
  #building = 0;
  readonly #waiting: Array<() => void> = [];

  constructor(states: SliceStates, chunkCharacters?: number) {
    this.#states = states;
    this.#chunkCharacters = chunkCharacters;
  }

  async snapshot(view: OrganizationView, own: OwnStructure, session: Session): Promise<SliceTransfer> {
    const ends = { from: null, to: view.revision, digestKeyId: session.digestKeyId };
    const transfer = new SliceTransfer(ends, own.scope, this.#chunkCharacters);
    const hashes = await this.#build(view, own, session, entry => transfer.put(entry));
    return transfer.finish(hashes.digest);
  }

  /** `base` is the digest of what the controller holds before it. */
  async delta(
    view: OrganizationView,
    session: Session,
    from: number,
    base: string,
    delta: SliceDelta,
  ): Promise<SliceTransfer | null> {
    const hashes = this.#states.take(session.deviceId, base);
    const told = hashes === null ? await this.#anew(view, session, delta) : { delta, hashes };
    if (told === null) return null;
    if (hashes !== null) {
      for (const entry of delta.put) hashes.put(entry);
      for (const key of delta.drop) hashes.drop(key);
      this.#states.keep(session.deviceId, hashes);
    }
    const ends = { from, to: view.revision, digestKeyId: session.digestKeyId };
    const transfer = new SliceTransfer(ends, told.delta.scope, this.#chunkCharacters);
    for (const entry of told.delta.put) await transfer.put(entry);
    for (const key of told.delta.drop) await transfer.drop(key);
    return transfer.finish(told.hashes.digest);
  }

  /** Nobody has kept the hashes: the whole slice is gone through, and what the delta names is told as it was found there. */
  async #anew(view: OrganizationView, session: Session, { put, drop }: SliceDelta) {
    const own = await view.ownStructure(session.deviceId);
    if (own === null) return null;
    const wanted = new Map([...put, ...drop].map(key => [keyOf(key), key]));
    const found: EntryText[] = [];
    const hashes = await this.#build(view, own, session, entry => {
      if (wanted.delete(keyOf(entry))) found.push(entry);
    });
    const scope: SliceScope = own.scope;
    return { hashes, delta: { put: found, drop: [...wanted.values()], scope } };
  }

  async #build(
    view: OrganizationView,
    own: OwnStructure,
    { deviceId, digester }: Session,
    take: (entry: EntryText) => Promise<void> | void,
  ): Promise<SliceHashes> {
    await this.#turn();
    try {
      const hashes = new SliceHashes();
      for await (const page of wholeSlice(view, own, digester)) {
        for (const entry of page) {
          hashes.put(entry);
          await take(entry);
        }
      }
      this.#states.keep(deviceId, hashes);
      return hashes;
    } finally {
      this.#building--;
      this.#waiting.shift()?.();
    }
  }

  async #turn(): Promise<void> {
    if (this.#building >= MOST_AT_ONCE) {
      await new Promise<void>(resolve => {
        this.#waiting.push(resolve);
      });
    }
    this.#building++;
  }
}
