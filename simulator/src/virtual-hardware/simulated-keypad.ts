import type { Key } from '@lintel/access-core/key-entry-model';
import type { Keypad } from '@lintel/drivers/ports/keypad';
import type { FaultListener, PartFault } from '@lintel/drivers/ports/part-fault';

const isKey = (text: string): text is Key => /^[0-9*#]$/.test(text);

/** A keypad to press from a page, a terminal or a test. */
export class SimulatedKeypad implements Keypad {
  #key: (key: Key) => void = () => undefined;
  #fault: FaultListener = () => undefined;

  onKey(listener: (key: Key) => void): void {
    this.#key = listener;
  }

  onFault(listener: FaultListener): void {
    this.#fault = listener;
  }

  /** One key after the other; anything that is no key is no press. */
  press(keys: string): void {
    for (const key of keys) if (isKey(key)) this.#key(key);
  }

  fail(fault: PartFault | null): void {
    this.#fault(fault);
  }
}
