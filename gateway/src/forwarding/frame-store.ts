import type { DeviceId } from '@lintel/access-core/ids';
import { FrameIndex, type QueueFigures } from '../store/frame-index.ts';
import type { FrameNote, FrameTable, NewFrame, StoredFrame } from '../store/frame-table.ts';
import { StoreError } from '../store/store-file.ts';

export interface StoreLimits {
  readonly mostBytes: number;
  readonly mostBytesForOne: number;
  /** What the file may take of the disk. */
  readonly diskBytes: number;
}

/** `kept`, `known`: it waits here already. `left`: there is no room; its controller keeps it and says it again. */
export type Keeping = 'kept' | 'known' | 'left';

/** Told when the store fails, and with null when it works again. */
type OnFailure = (failure: StoreError | null) => void;

/**
 * The frames that wait for the bridge. The oldest stay and are sent first; what there is no room for stays with its
 * controller, so that the order of a controller's events is kept whatever happens here.
 */
export class FrameStore {
  readonly #table: FrameTable;
  readonly #limits: StoreLimits;
  readonly #onFailure: OnFailure;
  readonly #book = new FrameIndex();
  /** Confirmed, but the disk would not take that. */
  readonly #done = new Set<number>();
  /** Whether the book is complete: a disk may refuse to be read at the start. */
  #isLoaded = false;

  constructor(table: FrameTable, limits: StoreLimits, onFailure: OnFailure) {
    this.#table = table;
    this.#limits = limits;
    this.#onFailure = onFailure;
    this.reload();
  }

  /** After the start, and after the file was begun anew. */
  reload(): void {
    this.#book.clear();
    this.#done.clear();
    this.#isLoaded = this.#try(false, () => {
      for (const note of this.#table.all()) this.#book.added(note);
      return true;
    });
  }

  #try<T>(otherwise: T, work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.#onFailure(error);
      return otherwise;
    }
  }

  get total(): QueueFigures {
    return this.#book.total;
  }

  of(device: DeviceId): QueueFigures {
    return this.#book.of(device);
  }

  devices(): DeviceId[] {
    return this.#book.devices();
  }

  /** `sent`: the device's last frame that is under way or behind it; those stay as they are. */
  keep(frame: NewFrame, sent = 0): Keeping {
    const { device, serial, spans, payload } = frame;
    const isKnown = this.#book.holds(device, serial, spans);
    const covered = this.#covered(frame, sent);
    if (isKnown && covered.length < 2) return 'known';
    const isRoom =
      this.#book.total.bytes + payload.length <= this.#limits.mostBytes &&
      this.#book.of(device).bytes + payload.length <= this.#limits.mostBytesForOne;
    if (!isRoom) return isKnown ? 'known' : 'left';
    return this.#try<Keeping>('left', () => {
      if (frame.kind === 'rules-changed') this.#remove(this.#table.edits(device));
      const note = this.#table.add(frame, covered);
      for (const one of covered) this.#book.removed(one);
      this.#book.added(note);
      // Until the book is complete the failure stands, and `tryAgain` is called.
      if (this.#isLoaded) this.#onFailure(null);
      return 'kept';
    });
  }

  /**
   * A controller that says again what nobody has confirmed says it in large batches: one of them takes the place of the
   * many small ones that came while it happened, and the bridge has that much less to do.
   */
  #covered(frame: NewFrame, sent: number): readonly FrameNote[] {
    const isBatch = frame.spans.length > 1 || (frame.spans[0]?.[0] ?? 0) < (frame.spans[0]?.[1] ?? 0);
    if (!isBatch || this.#book.of(frame.device).frames === 0) return [];
    return this.#try([], () => this.#table.coveredBy(frame, sent).filter(({ id }) => !this.#done.has(id)));
  }

  next(device: DeviceId, after: number): StoredFrame | null {
    return this.#try(null, () => {
      let frame = this.#table.next(device, after);
      while (frame !== null && this.#done.has(frame.id)) frame = this.#table.next(device, frame.id);
      return frame;
    });
  }

  oldest(): FrameNote | null {
    return this.#try(null, () => {
      if (this.#done.size === 0) return this.#table.oldest();
      for (const note of this.#table.all()) if (!this.#done.has(note.id)) return note;
      return null;
    });
  }

  /** While the store fails: a disk that takes something again is noticed before anybody has something to say. */
  tryAgain(): 'failing' | 'working' | 'reloaded' {
    return this.#try('failing', () => {
      this.#table.tryWriting();
      this.#remove([]);
      const wasLoaded = this.#isLoaded;
      if (!wasLoaded) this.reload();
      if (!this.#isLoaded) return 'failing';
      this.#onFailure(null);
      return wasLoaded ? 'working' : 'reloaded';
    });
  }

  /** The bridge has them. */
  confirm(ids: readonly number[]): void {
    if (ids.length === 0) return;
    this.#try(undefined, () => {
      const notes = ids.filter(id => !this.#done.has(id)).flatMap(id => this.#table.note(id) ?? []);
      this.#remove(notes);
    });
  }

  /** The bridge has all events up to this one. */
  confirmUpTo(device: DeviceId, sequence: number): void {
    if (this.#book.of(device).frames === 0) return;
    this.#try(undefined, () => this.#remove(this.#table.completeUpTo(device, sequence)));
  }

  #remove(notes: readonly FrameNote[]): void {
    for (const note of notes) {
      if (this.#done.has(note.id)) continue;
      this.#book.removed(note);
      this.#done.add(note.id);
    }
    this.#table.remove([...this.#done]);
    this.#done.clear();
  }

  /** What was signed under a certificate that is no longer in force: the bridge would not take it. */
  keepOnly(isInForce: (device: DeviceId, serial: string) => boolean): number {
    const isStale = this.devices().some(device =>
      this.#book.serials(device).some(serial => !isInForce(device, serial)),
    );
    if (!isStale) return 0;
    return this.#try(0, () => {
      const notes = [...this.#table.all()].filter(({ device, serial }) => !isInForce(device, serial));
      this.#remove(notes);
      return notes.length;
    });
  }
}
