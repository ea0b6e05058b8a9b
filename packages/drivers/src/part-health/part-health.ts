import type { FaultListener, PartFault } from '../ports/part-fault.ts';

/** Whether one part works, for those who listen. A fault that is there already is told to whoever comes later. */
export class PartHealth {
  readonly #listeners: FaultListener[] = [];
  #fault: PartFault | null = null;

  get fault(): PartFault | null {
    return this.#fault;
  }

  onFault(listener: FaultListener): void {
    this.#listeners.push(listener);
    if (this.#fault !== null) listener(this.#fault);
  }

  fail(kind: PartFault['kind'], message: string): void {
    if (this.#fault?.kind === kind && this.#fault.message === message) return;
    this.#tell({ kind, message });
  }

  heal(): void {
    if (this.#fault !== null) this.#tell(null);
  }

  #tell(fault: PartFault | null): void {
    this.#fault = fault;
    for (const listener of this.#listeners) listener(fault);
  }
}
