import type { Log } from '@lintel/service/log-function-type';

const MOST_REASONS = 100;

/** Counts rejected messages and logs each reason once per connection. */
export class DroppedMessageCounter {
  readonly #log: Log;
  readonly #logged = new Set<string>();
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
    if (this.#logged.has(reason) || this.#logged.size >= MOST_REASONS) return;
    this.#logged.add(reason);
    this.#log('warn', 'dropped a message', { kind, why });
  }

  /** A new connection logs the same reasons again. */
  startConnection(): void {
    this.#logged.clear();
  }
}
