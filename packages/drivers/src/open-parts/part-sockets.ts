import type { Key } from '@lintel/access-core/key-entry-model';
import type { CardReader } from '../ports/card-reader.ts';
import type { InputLines, LineLevel } from '../ports/input-lines.ts';
import type { Keypad } from '../ports/keypad.ts';
import { OutputFailure, type OutputLines } from '../ports/output-lines.ts';
import type { FaultListener, PartFault } from '../ports/part-fault.ts';
import type { ReaderSignal } from '../ports/reader-signal.ts';

type CardListener = Parameters<CardReader['onCard']>[0];
type PhoneListener = Parameters<NonNullable<CardReader['onPhone']>>[0];

/** The fault of a part, kept for a listener that comes later. */
class KeptFault {
  readonly #faults = new Map<string | undefined, PartFault>();
  #listener: FaultListener = () => undefined;

  get message(): string | undefined {
    return [...this.#faults.values()][0]?.message;
  }

  set(fault: PartFault | null, part?: string): void {
    if (fault !== null) this.#faults.set(part, fault);
    else if (!this.#faults.delete(part)) return;
    this.#listener(fault, part);
  }

  tell(listener: FaultListener): void {
    this.#listener = listener;
    for (const [part, fault] of this.#faults) listener(fault, part);
  }
}

/** Where a keypad is plugged in, now or later: a part that is missing at the start must not hold up the door. */
export class KeypadSocket implements Keypad {
  readonly #fault = new KeptFault();
  #listener: (key: Key) => void = () => undefined;

  plug(keypad: Keypad): void {
    this.#fault.set(null);
    keypad.onKey(key => this.#listener(key));
    keypad.onFault(fault => this.#fault.set(fault));
  }

  fail(fault: PartFault): void {
    this.#fault.set(fault);
  }

  onKey(listener: (key: Key) => void): void {
    this.#listener = listener;
  }

  onFault(listener: FaultListener): void {
    this.#fault.tell(listener);
  }
}

export class ReaderSocket implements CardReader {
  readonly #fault = new KeptFault();
  #listener: CardListener = () => undefined;
  #phone: PhoneListener = () => undefined;
  #reader: CardReader | null = null;

  plug(reader: CardReader): void {
    this.#reader = reader;
    this.#fault.set(null);
    reader.onCard(card => this.#listener(card));
    reader.onPhone?.(key => this.#phone(key));
    reader.onFault(fault => this.#fault.set(fault));
  }

  fail(fault: PartFault): void {
    this.#fault.set(fault);
  }

  onCard(listener: CardListener): void {
    this.#listener = listener;
  }

  onPhone(listener: PhoneListener): void {
    this.#phone = listener;
  }

  signal(): ReaderSignal | null {
    return this.#reader?.signal?.() ?? null;
  }

  onFault(listener: FaultListener): void {
    this.#fault.tell(listener);
  }
}

const NO_BOARD = 'the board is not there';

export class OutputSocket implements OutputLines {
  readonly #fault = new KeptFault();
  #board: OutputLines | null = null;

  plug(board: OutputLines): void {
    this.#board = board;
    this.#fault.set(null);
    board.onFault((fault, part) => this.#fault.set(fault, part));
  }

  fail(fault: PartFault): void {
    this.#fault.set(fault);
  }

  #plugged(): OutputLines {
    if (this.#board !== null) return this.#board;
    throw new OutputFailure(this.#fault.message ?? NO_BOARD);
  }

  energize(output: string, pulse_ms: number | null): void {
    this.#plugged().energize(output, pulse_ms);
  }

  release(output: string): void {
    this.#plugged().release(output);
  }

  faultOf(output: string): string | null {
    return this.#board === null ? (this.#fault.message ?? NO_BOARD) : this.#board.faultOf(output);
  }

  onFault(listener: FaultListener): void {
    this.#fault.tell(listener);
  }
}

export class InputSocket implements InputLines {
  readonly #fault = new KeptFault();
  readonly #names: readonly string[];
  #board: InputLines | null = null;
  #listener: (input: string, level: LineLevel) => void = () => undefined;

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  plug(board: InputLines): void {
    this.#board = board;
    this.#fault.set(null);
    board.onFault((fault, part) => this.#fault.set(fault, part));
    board.onLevel((input, level) => this.#listener(input, level));
    for (const input of this.#names)
      if (board.level(input) !== 'unknown' || board.isCut(input)) this.#listener(input, board.level(input));
  }

  fail(fault: PartFault): void {
    this.#fault.set(fault);
  }

  level(input: string): LineLevel {
    return this.#board?.level(input) ?? 'unknown';
  }

  isCut(input: string): boolean {
    return this.#board?.isCut(input) ?? false;
  }

  onLevel(listener: (input: string, level: LineLevel) => void): void {
    this.#listener = listener;
  }

  onFault(listener: FaultListener): void {
    this.#fault.tell(listener);
  }
}
