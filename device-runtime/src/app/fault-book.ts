import type { Instant } from '@lintel/access-core/instant';

export interface Fault {
  readonly code: string;
  readonly message: string;
  readonly since: Instant;
}

/** What is wrong right now. A fault is told when it begins, and not again until it has ended. */
export class FaultBook {
  readonly #faults = new Map<string, Fault>();
  readonly #now: () => Instant;
  readonly #tell: (fault: Fault) => void;

  constructor(now: () => Instant, tell: (fault: Fault) => void) {
    this.#now = now;
    this.#tell = tell;
  }

  raise(code: string, message: string): void {
    if (this.#faults.has(code)) return;
    const fault: Fault = { code, message, since: this.#now() };
    this.#faults.set(code, fault);
    this.#tell(fault);
  }

  clear(code: string): void {
    this.#faults.delete(code);
  }

  list(): readonly Fault[] {
    return [...this.#faults.values()];
  }
}
