import { EventEmitter } from 'node:events';
import type { SerialLine } from '../serial-line/serial-line-interface.ts';
import { encodeNumericCoilValue, ModbusRtuResponseFinder, appendModbusCrc } from './frame.ts';

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

/*
 * Modbus TCP: transaction number, protocol 0, length of the rest, unit, function and values; no CRC. modbus-serial works
 * with RTU frames, so the CRC is removed from requests and added to responses.
 */

const HEADER_BYTES = 6;
const CRC_BYTES = 2;
/** Unit, function and 252 bytes of values. */
const LONGEST = 254;
const SHORTEST = 3;
/** The board confirms these by repeating the request. */
const WRITES: readonly number[] = [5, 6];

/** Modbus TCP on a network connection. */
export class ModbusTcpPort extends ModbusPort {
  #received = Buffer.alloc(0);
  #transaction = 0;
  #request: Buffer | null = null;
  #hasDamage = false;

  constructor(line: SerialLine) {
    super(line);
    line.onOpen(() => {
      this.#received = Buffer.alloc(0);
    });
    line.onBytes(bytes => this.#take(bytes));
  }

  get hasDamage(): boolean {
    return this.#hasDamage;
  }

  protected begin(request: Buffer): Buffer {
    this.#transaction = (this.#transaction + 1) & 0xffff;
    this.#hasDamage = false;
    const body = request.subarray(0, -CRC_BYTES);
    this.#request = body;
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt16BE(this.#transaction, 0);
    header.writeUInt16BE(body.length, 4);
    return Buffer.concat([header, body]);
  }

  #take(bytes: Uint8Array): void {
    this.#received = Buffer.concat([this.#received, bytes]);
    while (this.#received.length >= HEADER_BYTES) {
      const length = this.#received.readUInt16BE(4);
      if (this.#received.readUInt16BE(2) !== 0 || length < SHORTEST || length > LONGEST) return this.#resynchronize();
      const end = HEADER_BYTES + length;
      if (this.#received.length < end) return;
      const [transaction, body] = [this.#received.readUInt16BE(0), this.#received.subarray(HEADER_BYTES, end)];
      this.#received = this.#received.subarray(end);
      // A late response to an earlier request has another transaction number.
      if (transaction === this.#transaction && this.#request !== null) this.#answer(this.#request, body);
    }
  }

  #answer(request: Buffer, body: Buffer): void {
    this.#request = null;
    const isWrite = WRITES.includes(request[1]!) && body[1] === request[1];
    if (isWrite && !body.equals(request)) this.#hasDamage = true;
    else this.emit('data', appendModbusCrc(body));
  }

  #resynchronize(): void {
    this.#hasDamage = true;
    this.#received = Buffer.alloc(0);
  }
}
