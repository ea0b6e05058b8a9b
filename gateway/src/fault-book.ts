import type { Status } from '@lintel/wire-protocol/mqtt/messages/status';
import type { Instant } from '@lintel/access-core/instant';

export type Fault = Status['faults'][number];

/** What is wrong now, and since when. */
export class FaultBook {
  readonly #faults = new Map<string, Fault>();
  readonly #now: () => Instant;
  #onChange: () => void = () => undefined;

  constructor(now: () => Instant) {
    this.#now = now;
  }

  onChange(handler: () => void): void {
    this.#onChange = handler;
  }

  set(code: string, message: string): void {
    const known = this.#faults.get(code);
    if (known?.message === message) return;
    this.#faults.set(code, { code, since: known?.since ?? this.#now(), message });
    this.#onChange();
  }

  clear(code: string): void {
    if (this.#faults.delete(code)) this.#onChange();
  }

  has(code: string): boolean {
    return this.#faults.has(code);
  }

  list(): Fault[] {
    return [...this.#faults.values()];
  }
}
