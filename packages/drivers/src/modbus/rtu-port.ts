import { EventEmitter } from 'node:events';
import type { SerialLine } from '../serial-line/serial-line-port.ts';
import { AnswerFinder, withCoilValue } from './rtu-frame.ts';

/** A line as modbus-serial wants its ports: bytes out, and whole answers in. */
export class RtuPort extends EventEmitter {
  readonly #line: SerialLine;
  #finder: AnswerFinder | null = null;
  #coilValue: number | null = null;
  isOpen = true;

  constructor(line: SerialLine) {
    super();
    this.#line = line;
    line.onFault(fault => {
      this.isOpen = fault === null;
    });
    line.onBytes(bytes => {
      const answer = this.#finder?.take(bytes) ?? null;
      if (answer === null) return;
      // Bytes that come unasked are nobody's.
      this.#finder = null;
      this.emit('data', answer);
    });
  }

  /** Of what came since the last question. */
  get hasDamage(): boolean {
    return this.#finder?.hasDamage ?? false;
  }

  open(opened: (error: Error | null) => void): void {
    opened(null);
  }

  close(closed?: () => void): void {
    closed?.();
  }

  /** modbus-serial writes coils on or off. The next write carries this number instead. */
  amendNextWrite(value: number): void {
    this.#coilValue = value;
  }

  write(bytes: Buffer): void {
    const request = this.#coilValue === null ? bytes : withCoilValue(bytes, this.#coilValue);
    this.#coilValue = null;
    this.#finder = new AnswerFinder(request);
    // What does not leave is not answered, and that is told in time.
    this.#line.write(request).catch(() => undefined);
  }
}
