import type { WriteStream } from 'node:tty';

const CLEAR = '\r\u001b[2K';

/** One line on a terminal that is written over and over; elsewhere nothing. */
export class ProgressLine {
  readonly #stream: WriteStream;
  #isShown = false;

  constructor(stream: WriteStream) {
    this.#stream = stream;
  }

  show(text: string): void {
    if (!this.#stream.isTTY) return;
    this.#stream.write(`${CLEAR}${text.slice(0, Math.max(20, this.#stream.columns - 1))}`);
    this.#isShown = true;
  }

  clear(): void {
    if (this.#isShown) this.#stream.write(CLEAR);
    this.#isShown = false;
  }
}
