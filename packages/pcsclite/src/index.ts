import { EventEmitter } from 'node:events';
import { PcscCardReader } from './card-reader.ts';
import { pcscConstants } from './constants.ts';
import {
  createPcscReaderStateStruct,
  loadPcscLibraryCalls,
  type PcscLibraryCalls,
  type PcscReaderState,
} from './libpcsclite-calls.ts';
import type { PcscError } from './pcsc-error.ts';

/** Pseudo-reader that changes when readers come and go. */
const ANY_READER = '\\\\?PnP?\\Notification';

/** Readers that appear between two listings are found by the next one. */
const LOOK_MS = 3_000;

interface PcscLiteEvents {
  reader: [PcscCardReader];
  error: [Error];
}

/** Reports readers and their states until it is closed or the service ends, which is reported as `error`. */
export class PCSCLite extends EventEmitter<PcscLiteEvents> {
  /** The connected readers by name. */
  readonly readers: Record<string, PcscCardReader> = {};
  readonly #library: PcscLibraryCalls = loadPcscLibraryCalls();
  #context: number | null = null;
  #listState = 0;
  #isClosed = false;

  constructor() {
    super();
    process.nextTick(() => void this.#run());
  }

  close(): void {
    this.#isClosed = true;
    if (this.#context !== null) this.#library.cancel(this.#context);
    for (const reader of Object.keys(this.readers)) this.#remove(reader);
  }

  async #run(): Promise<void> {
    try {
      this.#context = await this.#library.openContext();
      while (!this.#isClosed) await this.#look(this.#context);
    } catch (error) {
      // Outside the promise, so that an exception of a listener is not lost.
      if (!this.#isClosed) process.nextTick(() => this.emit('error', error as Error));
    } finally {
      if (this.#context !== null) void this.#library.closeContext(this.#context).catch(() => undefined);
    }
  }

  async #look(context: number): Promise<void> {
    const names = await this.#library.readers(context);
    for (const name of Object.keys(this.readers)) if (!names.includes(name)) this.#remove(name);
    const states = [
      createPcscReaderStateStruct(ANY_READER, this.#listState),
      ...names.map(name => createPcscReaderStateStruct(name, this.readers[name]?.state ?? 0)),
    ];
    try {
      if (!(await this.#library.changes(context, states, LOOK_MS)) || this.#isClosed) return;
    } catch (error) {
      // The reader left after the listing; the next listing shows which.
      if (['UnknownReader', 'ReaderUnavailable'].includes((error as PcscError).code)) return;
      throw error;
    }
    const [list, ...readers] = states;
    this.#listState = (list!.dwEventState & ~pcscConstants.SCARD_STATE_CHANGED) >>> 0;
    for (const state of readers) this.#report(state);
  }

  #report({ szReader, dwEventState, cbAtr, rgbAtr }: PcscReaderState): void {
    const known = this.readers[szReader];
    if (known !== undefined && (dwEventState & pcscConstants.SCARD_STATE_CHANGED) === 0) return;
    const reader = known ?? this.#add(szReader);
    const state = (dwEventState & ~pcscConstants.SCARD_STATE_CHANGED) >>> 0;
    reader.emit('status', cbAtr > 0 ? { state, atr: Buffer.from(rgbAtr.slice(0, cbAtr)) } : { state });
    // After the event, because listeners compare the new state with the previous one.
    reader.state = state;
  }

  #add(name: string): PcscCardReader {
    const reader = new PcscCardReader(name, this.#library);
    this.readers[name] = reader;
    this.emit('reader', reader);
    return reader;
  }

  #remove(name: string): void {
    const reader = this.readers[name];
    delete this.readers[name];
    reader?.close();
  }
}

const pcsclite = (): PCSCLite => new PCSCLite();

export type { PcscCardReader };
// `require()` returns the function itself, as the replaced package does.
export { pcsclite as default, pcsclite as 'module.exports' };
