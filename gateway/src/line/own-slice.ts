import type { Membership } from '@lintel/device-link/identity/membership';
import type { Slice } from '@lintel/wire-protocol/mqtt/messages/slice';
import type { SyncRequest } from '@lintel/wire-protocol/mqtt/messages/sync-request';
import { freshWindow, type ReplayWindow } from '@lintel/wire-protocol/mqtt/replay-window';
import { type HeldSlice, type Staged, takeChunk } from '../site/held-slice.ts';
import { PeerDirectory } from '../site/peer-directory.ts';
import type { SiteFile } from '../site/site-file.ts';

/** What to do after a chunk: say what is served now, ask for more, or neither. */
export type SliceStep =
  | { readonly serving: HeldSlice }
  | { readonly ask: SyncRequest; readonly misfit: string | null }
  | null;

/** The gateway's own slice on disk, and the numbers of what was signed for it. */
export class OwnSlice {
  readonly #file: SiteFile;
  readonly #membership: () => Membership;
  readonly #onSaved: (error: Error | null) => void;
  #held: HeldSlice | null;
  #staged: Staged = [];
  #window: ReplayWindow;
  #serial: string;
  #peers: PeerDirectory;

  /** `onSaved` is told of each attempt: null when it went well. */
  constructor(file: SiteFile, membership: () => Membership, onSaved: (error: Error | null) => void) {
    this.#file = file;
    this.#membership = membership;
    this.#onSaved = onSaved;
    const { device_id, serial } = membership();
    const kept = file.read(device_id);
    this.#held = kept?.slice ?? null;
    this.#serial = serial;
    this.#window = kept?.serial === serial ? kept.window : freshWindow;
    this.#peers = new PeerDirectory(this.#held?.entries ?? []);
  }

  get held(): HeldSlice | null {
    return this.#held;
  }

  get peers(): PeerDirectory {
    return this.#peers;
  }

  /** Numbers are bound to a certificate; another one begins anew. */
  get window(): ReplayWindow {
    const { serial } = this.#membership();
    if (serial !== this.#serial) {
      this.#serial = serial;
      this.#window = freshWindow;
    }
    return this.#window;
  }

  /** Kept before anything is done by the message that has this number. */
  accept(window: ReplayWindow): void {
    this.#window = window;
    this.save();
  }

  get have(): SyncRequest['have'] {
    return this.#held === null ? null : { revision: this.#held.revision, digest: this.#held.digest };
  }

  get resume(): SyncRequest['resume'] {
    const [first] = this.#staged;
    return first === undefined ? null : { revision: first.to, chunk: this.#staged.length };
  }

  take(chunk: Slice): SliceStep {
    const taken = takeChunk(this.#held, this.#staged, chunk);
    if ('staged' in taken) {
      this.#staged = taken.staged;
      return taken.ask ? { ask: { v: 1, have: this.have, resume: this.resume }, misfit: null } : null;
    }
    this.#staged = [];
    if ('misfit' in taken) return { ask: { v: 1, have: this.have, resume: null }, misfit: taken.misfit };
    this.#held = taken.slice;
    this.#peers = new PeerDirectory(taken.slice.entries);
    this.save();
    return { serving: taken.slice };
  }

  /** Called again while it could not be kept. */
  save(): void {
    const { device_id } = this.#membership();
    try {
      this.#file.write({
        device_id,
        serial: this.#serial,
        window: this.#window,
        slice: this.#held === null ? null : { ...this.#held, entries: [...this.#held.entries] },
      });
      this.#onSaved(null);
    } catch (error) {
      this.#onSaved(error as Error);
    }
  }
}
