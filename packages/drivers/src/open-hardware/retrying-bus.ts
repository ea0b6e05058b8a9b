import { addMilliseconds } from '@lintel/access-core/monotonic-time';
import type { PartFault } from '../interfaces/part-fault.ts';
import type { ReplaceableReader } from '../interfaces/replaceable-reader.ts';
import type { OpenedBus } from './opened-bus.ts';
import type { HardwareContext } from './hardware-driver-context.ts';
import { DeferredInputs, DeferredKeypad, DeferredOutputs, DeferredCardReader } from './deferred-parts.ts';

/** The names of the parts on one bus. */
export interface BusPartNames {
  readonly outputs: readonly string[];
  readonly inputs: readonly string[];
  readonly keypads: readonly string[];
  readonly readers: readonly string[];
}

const RETRY_MS = 1_000;
const FIRST_TRY_MS = 3_000;

/** One bus of the profile. Retries until it opens; the door works without it until then. */
export class RetryingBus {
  readonly outputs: DeferredOutputs | null;
  readonly inputs: DeferredInputs | null;
  readonly keypads: ReadonlyMap<string, DeferredKeypad>;
  readonly readers: ReadonlyMap<string, DeferredCardReader>;
  readonly #name: string;
  readonly #open: () => Promise<OpenedBus>;
  readonly #context: HardwareContext;
  #opened: OpenedBus | null = null;
  #lastMessage = '';
  #cancel: () => void = () => undefined;
  #attempt: Promise<void> = Promise.resolve();
  #isClosed = false;

  /** `hasAny`: the bus accepts names beyond those of the profile, so it always has outputs and inputs. */
  constructor(
    name: string,
    names: BusPartNames,
    hasAny: boolean,
    open: () => Promise<OpenedBus>,
    context: HardwareContext,
  ) {
    this.#name = name;
    this.#open = open;
    this.#context = context;
    this.outputs = hasAny || names.outputs.length > 0 ? new DeferredOutputs() : null;
    this.inputs = hasAny || names.inputs.length > 0 ? new DeferredInputs(names.inputs) : null;
    this.keypads = new Map(names.keypads.map(keypad => [keypad, new DeferredKeypad()]));
    this.readers = new Map(names.readers.map(reader => [reader, new DeferredCardReader()]));
  }

  /** Resolves after the first attempt or its timeout. */
  async start(): Promise<void> {
    const { clock } = this.#context;
    this.#attempt = this.#try();
    await new Promise<void>(resolve => {
      const cancel = clock.wake(addMilliseconds(clock.now(), FIRST_TRY_MS), () => {
        this.#fail({ kind: 'absent', message: `${this.#name} does not respond` });
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
      this.#attach(opened);
    } catch (error) {
      if (this.#isClosed) return;
      this.#fail({ kind: 'absent', message: `${this.#name}: ${(error as Error).message}` });
      const { clock } = this.#context;
      this.#cancel = clock.wake(addMilliseconds(clock.now(), RETRY_MS), () => {
        this.#attempt = this.#try();
      });
    }
  }

  #attach(opened: OpenedBus): void {
    if (opened.outputs !== undefined) this.outputs?.attach(opened.outputs);
    if (opened.inputs !== undefined) this.inputs?.attach(opened.inputs);
    for (const [name, part] of this.keypads) {
      const keypad = opened.keypads?.get(name);
      if (keypad !== undefined) part.attach(keypad);
    }
    for (const [name, part] of this.readers) {
      const reader = opened.readers?.get(name);
      if (reader !== undefined) part.attach(reader);
    }
  }

  #fail(fault: PartFault): void {
    if (fault.message === this.#lastMessage) return;
    this.#lastMessage = fault.message;
    this.#context.log('warn', 'Hardware part missing', { bus: this.#name, reason: fault.message });
    this.outputs?.fail(fault);
    this.inputs?.fail(fault);
    for (const part of [...this.keypads.values(), ...this.readers.values()]) part.fail(fault);
  }

  /** Empty until the bus is open. */
  replaceableReaders(): readonly ReplaceableReader[] {
    return this.#opened?.replaceable ?? [];
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    await this.#opened?.close();
  }
}
