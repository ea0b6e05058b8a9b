import type { Instant } from '@lintel/access-core/instant';

export type Fault<Details extends object = object> = Details & {
  readonly code: string;
  readonly message: string;
  readonly since: Instant;
};

/** `changed`: the same fault with another message or other details. */
export type FaultChangeKind = 'begun' | 'changed' | 'over';

type FaultListener<Details extends object> = (fault: Fault<Details>, change: FaultChangeKind) => void;

const isSame = (one: object, other: object): boolean =>
  Object.entries(one).every(([name, value]) => (other as Record<string, unknown>)[name] === value);

/** Current faults by code. A fault begins once and keeps its start time until it is cleared. */
export class FaultRegistry<Details extends object = object> {
  readonly #faults = new Map<string, Fault<Details>>();
  readonly #now: () => Instant;
  #listener: FaultListener<Details> = () => undefined;

  constructor(now: () => Instant) {
    this.#now = now;
  }

  /** Replaces the listener set before. */
  onChange(listener: FaultListener<Details>): void {
    this.#listener = listener;
  }

  set(code: string, message: string, details: Details = {} as Details): void {
    const before = this.#faults.get(code);
    if (before !== undefined && isSame({ ...details, message }, before)) return;
    const fault: Fault<Details> = { ...details, code, since: before?.since ?? this.#now(), message };
    this.#faults.set(code, fault);
    this.#listener(fault, before === undefined ? 'begun' : 'changed');
  }

  clear(code: string): void {
    const fault = this.#faults.get(code);
    if (fault === undefined) return;
    this.#faults.delete(code);
    this.#listener(fault, 'over');
  }

  has(code: string): boolean {
    return this.#faults.has(code);
  }

  list(): Fault<Details>[] {
    return [...this.#faults.values()];
  }
}
