import { addMilliseconds } from '@lintel/access-core/monotonic-time';
import { CardReaderBase } from '../base/card-reader-base.ts';
import { KeypadBase } from '../base/keypad-base.ts';
import type { OpenedBus, DriverContext } from '../definition/context.ts';
import type { CardReader } from '../interfaces/card-reader.ts';
import type { InputLines, InputLineState } from '../interfaces/input-lines.ts';
import type { Keypad } from '../interfaces/keypad.ts';
import { OutputLineError, type OutputLines } from '../interfaces/output-lines.ts';
import type { PartFaultListener, PartFault } from '../interfaces/part-fault.ts';
import type { ReplaceableReader } from '../interfaces/replaceable-reader.ts';
import type { ReaderSignalQuality } from '../interfaces/reader-signal-quality.ts';
import { PartHealth } from '../part-health/part-health.ts';

type MagicLinkListener = Parameters<NonNullable<CardReader['onMagicLink']>>[0];
type PhoneListener = Parameters<NonNullable<CardReader['onPhone']>>[0];

/** Placeholders for parts that are attached once their bus opens, so that a missing part does not block the door. */
class DeferredKeypad extends KeypadBase {
  attach(keypad: Keypad): void {
    this.health.clear();
    keypad.onKey(key => this.press(key));
    keypad.onFault(this.health.follow);
  }

  fail(fault: PartFault): void {
    this.health.follow(fault);
  }
}

class DeferredCardReader extends CardReaderBase {
  #phone: PhoneListener = () => undefined;
  #magicLink: MagicLinkListener = () => undefined;
  #reader: CardReader | null = null;

  attach(reader: CardReader): void {
    this.#reader = reader;
    this.health.clear();
    reader.onCard(card => this.tapped(card));
    reader.onPhone?.(key => this.#phone(key));
    reader.onMagicLink?.(token => this.#magicLink(token));
    reader.onFault(this.health.follow);
  }

  fail(fault: PartFault): void {
    this.health.follow(fault);
  }

  onMagicLink(listener: MagicLinkListener): void {
    this.#magicLink = listener;
  }

  onPhone(listener: PhoneListener): void {
    this.#phone = listener;
  }

  signal(): ReaderSignalQuality | null {
    return this.#reader?.signal?.() ?? null;
  }
}

const NO_BOARD = 'The board is missing';

class DeferredOutputs implements OutputLines {
  readonly #health = new PartHealth();
  #board: OutputLines | null = null;

  attach(board: OutputLines): void {
    this.#board = board;
    this.#health.clear();
    board.onFault(this.#health.follow);
  }

  fail(fault: PartFault): void {
    this.#health.follow(fault);
  }

  #attached(): OutputLines {
    if (this.#board !== null) return this.#board;
    throw new OutputLineError(this.#health.fault?.message ?? NO_BOARD);
  }

  energize(output: string, pulse_ms: number | null): void {
    this.#attached().energize(output, pulse_ms);
  }

  release(output: string): void {
    this.#attached().release(output);
  }

  faultOf(output: string): string | null {
    return this.#board === null ? (this.#health.fault?.message ?? NO_BOARD) : this.#board.faultOf(output);
  }

  onFault(listener: PartFaultListener): void {
    this.#health.onFault(listener);
  }
}

class DeferredInputs implements InputLines {
  readonly #health = new PartHealth();
  readonly #names: readonly string[];
  #board: InputLines | null = null;
  #listener: (input: string, level: InputLineState) => void = () => undefined;

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  attach(board: InputLines): void {
    this.#board = board;
    this.#health.clear();
    board.onFault(this.#health.follow);
    board.onLevel((input, level) => this.#listener(input, level));
    for (const input of this.#names)
      if (board.level(input) !== 'unknown' || board.isCut(input)) this.#listener(input, board.level(input));
  }

  fail(fault: PartFault): void {
    this.#health.follow(fault);
  }

  level(input: string): InputLineState {
    return this.#board?.level(input) ?? 'unknown';
  }

  isCut(input: string): boolean {
    return this.#board?.isCut(input) ?? false;
  }

  onLevel(listener: (input: string, level: InputLineState) => void): void {
    this.#listener = listener;
  }

  onFault(listener: PartFaultListener): void {
    this.#health.onFault(listener);
  }
}

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
  readonly #context: DriverContext;
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
    context: DriverContext,
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
