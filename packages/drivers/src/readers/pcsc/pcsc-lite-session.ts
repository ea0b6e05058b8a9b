import {
  type PcscError,
  type PcscLite,
  loadPcscLite,
  type PcscReaderState,
  createReaderState,
} from './pcsc-lite-library.ts';
import type { PcscCard, PcscSession, PcscWatcher } from './pcsc-session.ts';

/** For a process that holds only this session. */
export interface WatchedPcscSession extends PcscSession {
  /** Resolves when the service has responded. */
  beat(): Promise<void>;
}

const CHANGED = 0x2;
const PRESENT = 0x20;
const MUTE = 0x200;

/** Pseudo-reader that changes when readers come and go. */
const ANY_READER = '\\\\?PnP?\\Notification';

/** Readers that appear between two listings are found by the next one. */
const LOOK_MS = 3_000;

/** Reports every change until the service or the context is gone. */
class ReaderWatch {
  readonly #library: PcscLite;
  readonly #context: number;
  readonly #watcher: PcscWatcher;
  readonly #states = new Map<string, number>();
  #listState = 0;
  #isOver = false;

  constructor(library: PcscLite, context: number, watcher: PcscWatcher) {
    this.#library = library;
    this.#context = context;
    this.#watcher = watcher;
  }

  end(): void {
    this.#isOver = true;
    this.#library.cancel(this.#context);
  }

  async run(): Promise<void> {
    try {
      while (!this.#isOver) await this.#look();
    } catch (error) {
      if (!this.#isOver) this.#watcher.ended(error as Error);
    }
  }

  async #look(): Promise<void> {
    const names = await this.#library.readers(this.#context);
    for (const gone of [...this.#states.keys()].filter(name => !names.includes(name))) this.#drop(gone);
    const states = [
      createReaderState(ANY_READER, this.#listState),
      ...names.map(name => createReaderState(name, this.#states.get(name) ?? 0)),
    ];
    try {
      if (!(await this.#library.changes(this.#context, states, LOOK_MS)) || this.#isOver) return;
    } catch (error) {
      // The reader left after the listing; the next listing shows which.
      if (['UnknownReader', 'ReaderUnavailable'].includes((error as PcscError).code)) return;
      throw error;
    }
    const [list, ...readers] = states;
    this.#listState = (list!.dwEventState & ~CHANGED) >>> 0;
    for (const state of readers) this.#reportChange(state);
  }

  #reportChange({ szReader, dwEventState }: PcscReaderState): void {
    if ((dwEventState & CHANGED) === 0 && this.#states.has(szReader)) return;
    this.#states.set(szReader, (dwEventState & ~CHANGED) >>> 0);
    const isMute = (dwEventState & MUTE) !== 0;
    this.#watcher.changed(szReader, (dwEventState & PRESENT) !== 0 && !isMute);
    if (isMute) this.#watcher.mute(szReader);
  }

  #drop(name: string): void {
    this.#states.delete(name);
    this.#watcher.unplugged(name);
  }
}

const connectTo = async (library: PcscLite, context: number, reader: string): Promise<PcscCard> => {
  const card = await library.connect(context, reader);
  return {
    atr: () => library.atr(card),
    transmit: apdu => library.transmit(card, apdu),
    release: () => library.disconnect(card),
  };
};

/** Loads libpcsclite1. Rejects if the service is not running. */
export const openPcscLiteSession = async (watcher: PcscWatcher): Promise<WatchedPcscSession> => {
  const library = loadPcscLite();
  const [watching, beating] = [await library.openContext(), await library.openContext()];
  /** One context per reader, so that a slow card does not delay other doors. */
  const contexts = new Map<string, Promise<number>>();
  const contextOf = (reader: string): Promise<number> => {
    const known = contexts.get(reader);
    if (known !== undefined) return known;
    const opening = library.openContext();
    contexts.set(reader, opening);
    opening.catch(() => contexts.delete(reader));
    return opening;
  };
  const watch = new ReaderWatch(library, watching, watcher);
  void watch.run();
  return {
    connect: async reader => connectTo(library, await contextOf(reader), reader),
    beat: async () => void (await library.readers(beating)),
    close: () => {
      watch.end();
      for (const context of [watching, beating]) void library.closeContext(context).catch(() => undefined);
      for (const context of contexts.values()) void context.then(library.closeContext).catch(() => undefined);
    },
  };
};
