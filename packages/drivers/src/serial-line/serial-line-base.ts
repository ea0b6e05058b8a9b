import { PartHealth } from '../part-health/part-health.ts';
import type { PartFaultListener } from '../interfaces/part-fault.ts';
import type { SerialLine } from './serial-line-interface.ts';

export abstract class SerialLineBase implements SerialLine {
  protected readonly health = new PartHealth();
  readonly #listeners: ((bytes: Uint8Array) => void)[] = [];
  readonly #openListeners: (() => void)[] = [];

  abstract write(bytes: Uint8Array): Promise<void>;

  abstract close(): Promise<void>;

  onBytes(listener: (bytes: Uint8Array) => void): void {
    this.#listeners.push(listener);
  }

  onOpen(listener: () => void): void {
    this.#openListeners.push(listener);
  }

  onFault(listener: PartFaultListener): void {
    this.health.onFault(listener);
  }

  protected opened(): void {
    for (const listener of this.#openListeners) listener();
    this.health.clear();
  }

  protected received(bytes: Uint8Array): void {
    for (const listener of this.#listeners) listener(bytes);
  }
}
