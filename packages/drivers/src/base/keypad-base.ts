import type { KeypadKey } from '@lintel/access-core/key-entry-types';
import { PartHealth } from '../part-health/part-health.ts';
import type { Keypad } from '../interfaces/keypad.ts';
import type { PartFaultListener } from '../interfaces/part-fault.ts';

export abstract class KeypadBase implements Keypad {
  protected readonly health = new PartHealth();
  #listener: (key: KeypadKey) => void = () => undefined;

  onKey(listener: (key: KeypadKey) => void): void {
    this.#listener = listener;
  }

  onFault(listener: PartFaultListener): void {
    this.health.onFault(listener);
  }

  protected press(key: KeypadKey): void {
    this.#listener(key);
  }
}
