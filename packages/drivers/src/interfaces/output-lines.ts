import type { PartFaultListener } from './part-fault.ts';

/** The line does not exist, or the board did not accept the command. The line is unchanged. */
export class OutputLineError extends Error {
  override readonly name = 'OutputLineError';
}

/** Relays, lights and buzzers by their names in the wiring. Off by default. */
export interface OutputLines {
  /**
   * Switches on for `pulse_ms` or until `release`. A board that can time a pulse does so itself, so that the door
   * locks even if the process dies; otherwise the caller must call `release`. Energizing again replaces the end of a
   * running pulse. Throws OutputLineError.
   */
  energize(output: string, pulse_ms: number | null): void;
  /** Switches off now. Throws OutputLineError. */
  release(output: string): void;
  /** Why the line cannot be switched now; null if its board accepts commands. */
  faultOf(output: string): string | null;
  /** Reports that a board is gone if its commands get no response. */
  onFault(listener: PartFaultListener): void;
}
