import type { Key } from '@lintel/access-core/key-entry-model';
import type { FaultListener } from './part-fault.ts';

/** Turns bytes, edges or events into keys. It knows nothing of members, PINs or rules. */
export interface Keypad {
  /** Each press once, in the order of pressing. Keys pressed before there is a listener are lost. */
  onKey(listener: (key: Key) => void): void;
  onFault(listener: FaultListener): void;
}
