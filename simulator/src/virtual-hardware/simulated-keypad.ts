import type { KeypadKey } from '@lintel/access-core/key-entry-types';
import type { Keypad, PartFaultListener, PartFault } from '@lintel/drivers/interfaces';

const isKey = (text: string): text is KeypadKey => /^[0-9*#]$/.test(text);

/** A simulated keypad. */
export class SimulatedKeypad implements Keypad {
  #key: (key: KeypadKey) => void = () => undefined;
  #fault: PartFaultListener = () => undefined;

  onKey(listener: (key: KeypadKey) => void): void {
    this.#key = listener;
  }

  onFault(listener: PartFaultListener): void {
    this.#fault = listener;
  }

  /** Presses the keys in order and ignores other characters. */
  press(keys: string): void {
    for (const key of keys) if (isKey(key)) this.#key(key);
  }

  fail(fault: PartFault | null): void {
    this.#fault(fault);
  }
}
