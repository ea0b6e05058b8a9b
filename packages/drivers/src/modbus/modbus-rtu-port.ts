import { EventEmitter } from 'node:events';
import type { SerialLine } from '../serial-line/serial-line-interface.ts';
import type { ModbusPort } from './modbus-port-interface.ts';
import { ModbusRtuResponseFinder, encodeNumericCoilValue } from './rtu-frame.ts';

/** Adapts a serial line to the port interface of modbus-serial: bytes out, complete responses in. */
export class ModbusRtuPort extends EventEmitter implements ModbusPort {
  readonly #line: SerialLine;
  #finder: ModbusRtuResponseFinder | null = null;
  #coilValue: number | null = null;
  #lineFault: string | null = null;

  constructor(line: SerialLine) {
    super();
    this.#line = line;
    line.onFault(fault => {
      this.#lineFault = fault?.message ?? null;
    });
    line.onBytes(bytes => {
      const answer = this.#finder?.take(bytes) ?? null;
      if (answer === null) return;
      // Unsolicited bytes are dropped.
      this.#finder = null;
      this.emit('data', answer);
    });
  }

  get isOpen(): boolean {
    return this.#lineFault === null;
  }

  get lineFault(): string | null {
    return this.#lineFault;
  }

  get hasDamage(): boolean {
    return this.#finder?.hasDamage ?? false;
  }

  open(opened: (error: Error | null) => void): void {
    opened(null);
  }

  close(closed?: () => void): void {
    closed?.();
  }

  amendNextWrite(value: number): void {
    this.#coilValue = value;
  }

  write(bytes: Buffer): void {
    const request = this.#coilValue === null ? bytes : encodeNumericCoilValue(bytes, this.#coilValue);
    this.#coilValue = null;
    this.#finder = new ModbusRtuResponseFinder(request);
    // A failed write gets no response, and the timeout reports it.
    this.#line.write(request).catch(() => undefined);
  }
}
