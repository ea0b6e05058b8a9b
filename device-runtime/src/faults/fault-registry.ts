import type { Instant } from '@lintel/access-core/instant';
import type { PartFault } from '@lintel/drivers/ports/part-fault';

export interface Fault {
  readonly code: string;
  readonly message: string;
  /** Of a part at the door; null of whatever else is wrong. */
  readonly kind: PartFault['kind'] | null;
  readonly since: Instant;
}

export interface FaultTellers {
  readonly begun: (fault: Fault) => void;
  /** Still the same fault, for another reason than was told. */
  readonly changed: (fault: Fault) => void;
  readonly over: (fault: Fault) => void;
}

/** What is wrong right now. A fault begins once, and not again until it has ended. */
export class FaultBook {
  readonly #faults = new Map<string, Fault>();
  readonly #now: () => Instant;
  readonly #tell: FaultTellers;

  constructor(now: () => Instant, tell: FaultTellers) {
    this.#now = now;
    this.#tell = tell;
  }

  raise(code: string, message: string, kind: Fault['kind'] = null): void {
    const before = this.#faults.get(code);
    if (before?.message === message && before.kind === kind) return;
    const fault: Fault = { code, message, kind, since: before?.since ?? this.#now() };
    this.#faults.set(code, fault);
    if (before === undefined) this.#tell.begun(fault);
    else this.#tell.changed(fault);
  }

  clear(code: string): void {
    const ended = this.#faults.get(code);
    if (ended === undefined) return;
    this.#faults.delete(code);
    this.#tell.over(ended);
  }

  list(): readonly Fault[] {
    return [...this.#faults.values()];
  }
}
