import type { CommandWriter } from '@lintel/service/command-line/cli-command';

const CLEAR = '\r\u001b[2K';

interface Terminal extends CommandWriter {
  readonly columns?: number;
}

/** A line on a terminal that is overwritten with each update. Prints nothing without a terminal. */
export class FleetProgressLine {
  readonly #stream: Terminal;
  #isShown = false;

  constructor(stream: Terminal) {
    this.#stream = stream;
  }

  show(text: string): void {
    if (this.#stream.isTTY !== true) return;
    this.#stream.write(`${CLEAR}${text.slice(0, Math.max(20, (this.#stream.columns ?? 80) - 1))}`);
    this.#isShown = true;
  }

  clear(): void {
    if (this.#isShown) this.#stream.write(CLEAR);
    this.#isShown = false;
  }
}
