import { CardReaderBase } from '../base/card-reader-base.ts';
import { KeypadBase } from '../base/keypad-base.ts';
import { PartHealth } from '../part-health/part-health.ts';
import type { CardReader } from '../interfaces/card-reader.ts';
import type { InputLines, InputLineState } from '../interfaces/input-lines.ts';
import type { Keypad } from '../interfaces/keypad.ts';
import { OutputLineError, type OutputLines } from '../interfaces/output-lines.ts';
import type { PartFaultListener, PartFault } from '../interfaces/part-fault.ts';
import type { ReaderSignalQuality } from '../interfaces/reader-signal-quality.ts';

type MagicLinkListener = Parameters<NonNullable<CardReader['onMagicLink']>>[0];
type PhoneListener = Parameters<NonNullable<CardReader['onPhone']>>[0];

/** Placeholders for parts that are attached once their bus opens, so that a missing part does not block the door. */
export class DeferredKeypad extends KeypadBase {
  attach(keypad: Keypad): void {
    this.health.clear();
    keypad.onKey(key => this.press(key));
    keypad.onFault(this.health.follow);
  }

  fail(fault: PartFault): void {
    this.health.follow(fault);
  }
}

export class DeferredCardReader extends CardReaderBase {
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

export class DeferredOutputs implements OutputLines {
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

export class DeferredInputs implements InputLines {
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
