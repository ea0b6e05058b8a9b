import type { PartFaultListener } from './part-fault.ts';

/** `unknown`: the wire is cut, its board is absent, or the level has not been read yet. */
export type InputLineState = 'active' | 'inactive' | 'unknown';

/** Contacts, buttons and tamper switches, debounced. Reports levels, so that a missed edge is corrected. */
export interface InputLines {
  level(input: string): InputLineState;
  /**
   * The board responds but finds no contact at the end of the wire: cut, shorted, or not fitted. Always false while
   * the board is absent, which is a fault of its own, and for boards without line supervision.
   */
  isCut(input: string): boolean;
  /** Called on each change of a level, and when an unknown line becomes cut or intact. */
  onLevel(listener: (input: string, level: InputLineState) => void): void;
  onFault(listener: PartFaultListener): void;
}
