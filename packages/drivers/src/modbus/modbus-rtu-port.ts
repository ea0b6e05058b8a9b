import type { SerialLine } from '../serial-line/serial-line-interface.ts';
import { ModbusPort } from './modbus-port.ts';
import { ModbusRtuResponseFinder } from './rtu-frame.ts';

/** Modbus RTU on a serial line. */
export class ModbusRtuPort extends ModbusPort {
  #finder: ModbusRtuResponseFinder | null = null;

  constructor(line: SerialLine) {
    super(line);
    line.onBytes(bytes => {
      const answer = this.#finder?.take(bytes) ?? null;
      if (answer === null) return;
      // Unsolicited bytes are dropped.
      this.#finder = null;
      this.emit('data', answer);
    });
  }

  get hasDamage(): boolean {
    return this.#finder?.hasDamage ?? false;
  }

  protected begin(request: Buffer): Buffer {
    this.#finder = new ModbusRtuResponseFinder(request);
    return request;
  }
}
