import type { InputLines, LineLevel } from '../ports/input-lines.ts';
import { OutputFailure, type OutputLines } from '../ports/output-lines.ts';
import type { FaultListener } from '../ports/part-fault.ts';

type LevelListener = (input: string, level: LineLevel) => void;

const NO_LINE = 'there is no such line';

const partOf = (bus: string, part: string | undefined): string => (part === undefined ? bus : `${bus}.${part}`);

/** The outputs of several buses as one board. A fault names the bus that it is of. */
export class JoinedOutputs implements OutputLines {
  readonly #boards: ReadonlyMap<string, OutputLines>;
  readonly #busOf: ReadonlyMap<string, string>;
  readonly #others: string | null;

  /** `busOf`: the bus of each output. `others`: the bus that has any output that nobody else has. */
  constructor(boards: ReadonlyMap<string, OutputLines>, busOf: ReadonlyMap<string, string>, others: string | null) {
    this.#boards = boards;
    this.#busOf = busOf;
    this.#others = others;
  }

  #boardOf(output: string): OutputLines | undefined {
    return this.#boards.get(this.#busOf.get(output) ?? this.#others ?? '');
  }

  #board(output: string): OutputLines {
    const board = this.#boardOf(output);
    if (board === undefined) throw new OutputFailure(NO_LINE);
    return board;
  }

  energize(output: string, pulse_ms: number | null): void {
    this.#board(output).energize(output, pulse_ms);
  }

  release(output: string): void {
    this.#board(output).release(output);
  }

  faultOf(output: string): string | null {
    const board = this.#boardOf(output);
    return board === undefined ? NO_LINE : board.faultOf(output);
  }

  onFault(listener: FaultListener): void {
    for (const [bus, board] of this.#boards) board.onFault((fault, part) => listener(fault, partOf(bus, part)));
  }
}

/** The inputs of several buses as one. Anybody may listen: the doors, the setup button, the power. */
export class JoinedInputs implements InputLines {
  readonly #boards: ReadonlyMap<string, InputLines>;
  readonly #busOf: ReadonlyMap<string, string>;
  readonly #others: string | null;
  readonly #listeners: LevelListener[] = [];

  constructor(boards: ReadonlyMap<string, InputLines>, busOf: ReadonlyMap<string, string>, others: string | null) {
    this.#boards = boards;
    this.#busOf = busOf;
    this.#others = others;
    for (const board of boards.values())
      board.onLevel((input, level) => {
        for (const listener of this.#listeners) listener(input, level);
      });
  }

  #boardOf(input: string): InputLines | undefined {
    return this.#boards.get(this.#busOf.get(input) ?? this.#others ?? '');
  }

  level(input: string): LineLevel {
    return this.#boardOf(input)?.level(input) ?? 'unknown';
  }

  /** A line that no board has leads nowhere. */
  isCut(input: string): boolean {
    return this.#boardOf(input)?.isCut(input) ?? true;
  }

  onLevel(listener: LevelListener): void {
    this.#listeners.push(listener);
  }

  onFault(listener: FaultListener): void {
    for (const [bus, board] of this.#boards) board.onFault((fault, part) => listener(fault, partOf(bus, part)));
  }
}
