import type { PartFaultListener } from '../../interfaces/part-fault.ts';

/** The connection to a relay board that confirms commands. `Board` is what a request gets to work with. */
export interface RelayLink<Board> {
  /** Runs when the connection is free, commands before polls. Rejects if the board does not confirm. */
  request<T>(urgency: 'command' | 'poll', question: (board: Board) => Promise<T>): Promise<T>;
  /** The state of each output. */
  read(board: Board): Promise<(output: string) => boolean>;
  write(board: Board, output: string, on: boolean): Promise<void>;
  /** Null if the board cannot time a pulse of this length. Absent if it times none. */
  pulse?(pulse_ms: number): ((board: Board, output: string) => Promise<void>) | null;
  /** The board responded, but not as it should. */
  isBroken(error: Error): boolean;
  /** The output itself failed, so another command for it would fail too. */
  isFailureOfOutput(error: Error): boolean;
  onConnectionFault?(listener: PartFaultListener): void;
}
