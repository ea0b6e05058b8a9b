import type { InputLines, InputLineState } from '../interfaces/input-lines.ts';
import { OutputLineError, type OutputLines } from '../interfaces/output-lines.ts';
import type { PartFaultListener } from '../interfaces/part-fault.ts';

type LevelListener = (input: string, level: InputLineState) => void;

const NO_LINE = 'No such line';

const partOf = (bus: string, part: string | undefined): string => (part === undefined ? bus : `${bus}.${part}`);

/** Lines of several buses as one board. A fault names its bus. */
abstract class JoinedLines<Board extends Pick<OutputLines, 'onFault'>> {
  readonly #boards: ReadonlyMap<string, Board>;
  readonly #busOf: ReadonlyMap<string, string>;
  readonly #others: string | null;

  /** `busOf`: the bus of each line. `others`: the bus of all lines that no other bus has. */
  constructor(boards: ReadonlyMap<string, Board>, busOf: ReadonlyMap<string, string>, others: string | null) {
    this.#boards = boards;
    this.#busOf = busOf;
    this.#others = others;
  }

  protected boardOf(line: string): Board | undefined {
    return this.#boards.get(this.#busOf.get(line) ?? this.#others ?? '');
  }

  onFault(listener: PartFaultListener): void {
    for (const [bus, board] of this.#boards) board.onFault((fault, part) => listener(fault, partOf(bus, part)));
  }
}

export class CombinedOutputs extends JoinedLines<OutputLines> implements OutputLines {
  #board(output: string): OutputLines {
    const board = this.boardOf(output);
    if (board === undefined) throw new OutputLineError(NO_LINE);
    return board;
  }

  energize(output: string, pulse_ms: number | null): void {
    this.#board(output).energize(output, pulse_ms);
  }

  release(output: string): void {
    this.#board(output).release(output);
  }

  faultOf(output: string): string | null {
    const board = this.boardOf(output);
    return board === undefined ? NO_LINE : board.faultOf(output);
  }
}

/** Inputs of several buses as one. Supports several listeners. */
export class CombinedInputs extends JoinedLines<InputLines> implements InputLines {
  readonly #listeners: LevelListener[] = [];

  constructor(boards: ReadonlyMap<string, InputLines>, busOf: ReadonlyMap<string, string>, others: string | null) {
    super(boards, busOf, others);
    for (const board of boards.values())
      board.onLevel((input, level) => {
        for (const listener of this.#listeners) listener(input, level);
      });
  }

  level(input: string): InputLineState {
    return this.boardOf(input)?.level(input) ?? 'unknown';
  }

  /** A line without a board counts as cut. */
  isCut(input: string): boolean {
    return this.boardOf(input)?.isCut(input) ?? true;
  }

  onLevel(listener: LevelListener): void {
    this.#listeners.push(listener);
  }
}
