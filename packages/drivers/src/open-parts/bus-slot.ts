import { after } from '@lintel/access-core/monotonic';
import type { PartFault } from '../ports/part-fault.ts';
import type { OpenedBus, PartsContext } from './opened-bus.ts';
import { InputSocket, KeypadSocket, OutputSocket, ReaderSocket } from './part-sockets.ts';

/** The names of what hangs on one bus. */
export interface BusNames {
  readonly outputs: readonly string[];
  readonly inputs: readonly string[];
  readonly keypads: readonly string[];
  readonly readers: readonly string[];
}

const RETRY_MS = 1_000;
const FIRST_TRY_MS = 3_000;

/** One bus of the profile: tried again until it opens, and the door works without it meanwhile. */
export class BusSlot {
  readonly outputs: OutputSocket | null;
  readonly inputs: InputSocket | null;
  readonly keypads: ReadonlyMap<string, KeypadSocket>;
  readonly readers: ReadonlyMap<string, ReaderSocket>;
  readonly #name: string;
  readonly #open: () => Promise<OpenedBus>;
  readonly #context: PartsContext;
  #opened: OpenedBus | null = null;
  #lastMessage = '';
  #cancel: () => void = () => undefined;
  #attempt: Promise<void> = Promise.resolve();
  #isClosed = false;

  /** `names` beyond those of the profile may come on a bus that has any output: it always has a socket for them. */
  constructor(name: string, names: BusNames, hasAny: boolean, open: () => Promise<OpenedBus>, context: PartsContext) {
    this.#name = name;
    this.#open = open;
    this.#context = context;
    this.outputs = hasAny || names.outputs.length > 0 ? new OutputSocket() : null;
    this.inputs = hasAny || names.inputs.length > 0 ? new InputSocket(names.inputs) : null;
    this.keypads = new Map(names.keypads.map(keypad => [keypad, new KeypadSocket()]));
    this.readers = new Map(names.readers.map(reader => [reader, new ReaderSocket()]));
  }

  /** Resolves when the first try is over, or has taken too long to wait for. */
  async start(): Promise<void> {
    const { clock } = this.#context;
    this.#attempt = this.#try();
    await new Promise<void>(resolve => {
      const cancel = clock.wake(after(clock.now(), FIRST_TRY_MS), () => {
        this.#fail({ kind: 'absent', message: `${this.#name} does not answer` });
        resolve();
      });
      void this.#attempt.finally(() => {
        cancel();
        resolve();
      });
    });
  }

  async #try(): Promise<void> {
    try {
      const opened = await this.#open();
      if (this.#isClosed) return await opened.close();
      this.#opened = opened;
      this.#plug(opened);
    } catch (error) {
      if (this.#isClosed) return;
      this.#fail({ kind: 'absent', message: `${this.#name}: ${(error as Error).message}` });
      const { clock } = this.#context;
      this.#cancel = clock.wake(after(clock.now(), RETRY_MS), () => {
        this.#attempt = this.#try();
      });
    }
  }

  #plug(opened: OpenedBus): void {
    if (opened.outputs !== undefined) this.outputs?.plug(opened.outputs);
    if (opened.inputs !== undefined) this.inputs?.plug(opened.inputs);
    for (const [name, socket] of this.keypads) {
      const keypad = opened.keypads?.get(name);
      if (keypad !== undefined) socket.plug(keypad);
    }
    for (const [name, socket] of this.readers) {
      const reader = opened.readers?.get(name);
      if (reader !== undefined) socket.plug(reader);
    }
  }

  #fail(fault: PartFault): void {
    if (fault.message === this.#lastMessage) return;
    this.#lastMessage = fault.message;
    this.#context.log('warn', 'a part is missing', { bus: this.#name, reason: fault.message });
    this.outputs?.fail(fault);
    this.inputs?.fail(fault);
    for (const socket of [...this.keypads.values(), ...this.readers.values()]) socket.fail(fault);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    await this.#opened?.close();
  }
}
