import type { EventEmitter } from 'node:events';

/** The port interface of modbus-serial, with what the bus needs in addition. */
export interface ModbusPort extends EventEmitter {
  readonly isOpen: boolean;
  /** Why the line cannot be used; null if it can. */
  readonly lineFault: string | null;
  /** The bytes since the last request began like a response but were damaged. */
  readonly hasDamage: boolean;
  /** modbus-serial writes coils on or off only. The next write carries this number instead. */
  amendNextWrite(value: number): void;
  open(opened: (error: Error | null) => void): void;
  close(closed?: () => void): void;
  write(request: Buffer): void;
}
