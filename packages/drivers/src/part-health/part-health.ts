import type { PartFaultListener, PartFault } from '../interfaces/part-fault.ts';

/** The faults of a part and its listeners. A new listener gets the current faults at once. */
export class PartHealth {
  readonly #listeners: PartFaultListener[] = [];
  /** By the piece of the part concerned; undefined for the whole part. */
  readonly #faults = new Map<string | undefined, PartFault>();

  get fault(): PartFault | null {
    return [...this.#faults.values()][0] ?? null;
  }

  onFault(listener: PartFaultListener): void {
    this.#listeners.push(listener);
    for (const [piece, fault] of this.#faults) listener(fault, piece);
  }

  fail(kind: PartFault['kind'], message: string, piece?: string): void {
    const before = this.#faults.get(piece);
    if (before?.kind === kind && before.message === message) return;
    const fault = { kind, message };
    this.#faults.set(piece, fault);
    for (const listener of this.#listeners) listener(fault, piece);
  }

  clear(piece?: string): void {
    if (!this.#faults.delete(piece)) return;
    for (const listener of this.#listeners) listener(null, piece);
  }

  /** Takes over the faults of another part. */
  readonly follow: PartFaultListener = (fault, piece) => {
    if (fault === null) this.clear(piece);
    else this.fail(fault.kind, fault.message, piece);
  };
}
