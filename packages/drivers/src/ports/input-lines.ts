import type { FaultListener } from './part-fault.ts';

/** `unknown`: the wire is cut, its board is away, or nobody has read it yet. */
export type LineLevel = 'active' | 'inactive' | 'unknown';

/** Contacts, buttons and tamper switches, debounced. Levels, not edges: an edge that was missed corrects itself. */
export interface InputLines {
  level(input: string): LineLevel;
  /**
   * Its board answers, and finds no contact at the end of the wire: cut, shorted, or never fitted. Never true while the
   * board is away, which is a fault of its own, nor of boards that do not supervise their wires.
   */
  isCut(input: string): boolean;
  /** Told with every change of a level, and when an unknown one turns out to be cut, or no more. */
  onLevel(listener: (input: string, level: LineLevel) => void): void;
  onFault(listener: FaultListener): void;
}
