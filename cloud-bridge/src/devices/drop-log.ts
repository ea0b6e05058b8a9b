/** Messages that were dropped, counted; each cause is told once in a while, however often somebody repeats it. */
export class DropLog {
  readonly #tell: (facts: { device_id: string | null; kind: string; reason: string }) => void;
  readonly #told = new Set<string>();
  #count = 0;

  constructor(tell: (facts: { device_id: string | null; kind: string; reason: string }) => void) {
    this.#tell = tell;
  }

  get count(): number {
    return this.#count;
  }

  readonly dropped = (device_id: string | null, kind: string, reason: string): void => {
    this.#count++;
    const cause = `${device_id} ${kind} ${reason}`;
    if (this.#told.has(cause)) return;
    this.#told.add(cause);
    this.#tell({ device_id, kind, reason });
  };

  /** From now on everything is news again. */
  forget(): void {
    this.#told.clear();
  }
}
