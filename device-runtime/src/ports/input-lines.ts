import type { FaultListener } from './part-fault.ts';

/** `unknown`: the line is cut, or nobody has read it yet. */
export type LineLevel = 'active' | 'inactive' | 'unknown';

/** Contacts, buttons and tamper switches, debounced. Levels, not edges: an edge that was missed corrects itself. */
export interface InputLines {
  level(input: string): LineLevel;
  /** Told with every change of a level. */
  onLevel(listener: (input: string, level: LineLevel) => void): void;
  onFault(listener: FaultListener): void;
}
