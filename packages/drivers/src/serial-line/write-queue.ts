/** More than this waits for no healthy line: at 9600 baud it takes four seconds to leave. */
const MOST_BYTES = 4_096;

interface Waiting {
  readonly bytes: Uint8Array;
  readonly sent: () => void;
  readonly failed: (error: Error) => void;
}

/** What waits to be written, one piece after the other. */
export class WriteQueue {
  readonly #waiting: Waiting[] = [];
  #bytes = 0;

  add(bytes: Uint8Array): Promise<void> {
    if (this.#bytes + bytes.length > MOST_BYTES)
      return Promise.reject(new Error('too much waits to be written already'));
    this.#bytes += bytes.length;
    return new Promise((sent, failed) => this.#waiting.push({ bytes: Uint8Array.from(bytes), sent, failed }));
  }

  take(): Waiting | undefined {
    const next = this.#waiting.shift();
    if (next !== undefined) this.#bytes -= next.bytes.length;
    return next;
  }

  /** Commands of yesterday are not sent when the port comes back: a relay would move at the wrong time. */
  drop(reason: string): void {
    for (const { failed } of this.#waiting.splice(0)) failed(new Error(reason));
    this.#bytes = 0;
  }
}
