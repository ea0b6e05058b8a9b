import type { Key } from '@lintel/access-core/key-entry-model';
import { PartHealth } from '../part-health/part-health.ts';
import type { Keypad } from '../ports/keypad.ts';
import type { FaultListener } from '../ports/part-fault.ts';

export abstract class KeypadBase implements Keypad {
  protected readonly health = new PartHealth();
  #listener: (key: Key) => void = () => undefined;

  onKey(listener: (key: Key) => void): void {
    this.#listener = listener;
  }

  onFault(listener: FaultListener): void {
    this.health.onFault(listener);
  }

  protected press(key: Key): void {
    this.#listener(key);
  }
}
