import { EventEmitter } from 'node:events';
import type { SerialLine } from '../serial-line/serial-line-interface.ts';
import { encodeNumericCoilValue } from './rtu-frame.ts';

/** Adapts a line to the port interface of modbus-serial: bytes out, complete responses in. */
export abstract class ModbusPort extends EventEmitter {
  readonly #line: SerialLine;
  #coilValue: number | null = null;
  #lineFault: string | null = null;

  constructor(line: SerialLine) {
    super();
    this.#line = line;
    line.onFault(fault => {
      this.#lineFault = fault?.message ?? null;
    });
  }

  /** The bytes since the last request began like a response but were damaged. */
  abstract get hasDamage(): boolean;

  /** Begins a request. Returns the bytes to send. */
  protected abstract begin(request: Buffer): Buffer;

  get isOpen(): boolean {
    return this.#lineFault === null;
  }

  /** Why the line cannot be used; null if it can. */
  get lineFault(): string | null {
    return this.#lineFault;
  }

  open(opened: (error: Error | null) => void): void {
    opened(null);
  }

  close(closed?: () => void): void {
    closed?.();
  }

  /** modbus-serial writes coils on or off only. The next write carries this number instead. */
  amendNextWrite(value: number): void {
    this.#coilValue = value;
  }

  write(bytes: Buffer): void {
    const request = this.#coilValue === null ? bytes : encodeNumericCoilValue(bytes, this.#coilValue);
    this.#coilValue = null;
    // A failed write gets no response, and the timeout reports it.
    this.#line.write(this.begin(request)).catch(() => undefined);
  }
}
