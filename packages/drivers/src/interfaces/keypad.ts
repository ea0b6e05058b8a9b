import type { KeypadKey } from '@lintel/access-core/key-entry-types';
import type { PartFaultListener } from './part-fault.ts';

/** Turns bytes, edges or events into keys. Independent of members, PINs and rules. */
export interface Keypad {
  /** Reports each press once, in order. Keys pressed without a listener are lost. */
  onKey(listener: (key: KeypadKey) => void): void;
  onFault(listener: PartFaultListener): void;
}
