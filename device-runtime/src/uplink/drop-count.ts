import type { Log } from '@lintel/service/log/log';

const MOST_REASONS = 100;

/** Messages that could not be believed or read: counted, told once for each reason, and never fatal. */
export class DropCount {
  readonly #log: Log;
  readonly #told = new Set<string>();
  #count = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  get count(): number {
    return this.#count;
  }

  add(kind: string, why: string): void {
    this.#count += 1;
    const reason = `${kind} ${why}`;
    if (this.#told.has(reason) || this.#told.size >= MOST_REASONS) return;
    this.#told.add(reason);
    this.#log('warn', 'dropped a message', { kind, why });
  }

  /** A new connection: the same again is news. */
  forget(): void {
    this.#told.clear();
  }
}
