import type { FaultListener } from './part-fault.ts';

/** There is no such line, or the board did not take the command. The line is as it was. */
export class OutputError extends Error {
  override readonly name = 'OutputError';
}

/** Relays, lights and buzzers by the names that the wiring gives them. All are off until told otherwise. */
export interface OutputLines {
  /**
   * On, for `pulse_ms` or until `release`. A board that can time a pulse does so itself, and the door locks again though
   * the process is gone; elsewhere `release` follows in time. Energizing again replaces the end of a pulse that runs.
   * Throws OutputError.
   */
  energize(output: string, pulse_ms: number | null): void;
  /** Off now. Throws OutputError. */
  release(output: string): void;
  /** Why this line would not obey now; null when its board takes commands. */
  faultOf(output: string): string | null;
  /** A board that takes commands without an answer tells here that it has gone. */
  onFault(listener: FaultListener): void;
}
