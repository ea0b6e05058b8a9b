import type { Pty } from '../processes/pty.ts';

/* Simulated Modbus relay boards, written from the standard and a data sheet. Shares no code with the driver under test. */

const table = Array.from({ length: 256 }, (_, start) => {
  let value = start;
  for (let round = 0; round < 8; round++)
    value = value % 2 === 1 ? Math.floor(value / 2) ^ 0xa001 : Math.floor(value / 2);
  return value;
});

const checkOf = (bytes: Buffer): number =>
  bytes.reduce((check, byte) => Math.floor(check / 256) ^ table[(check ^ byte) % 256]!, 0xffff);

const withChecksum = (bytes: Buffer): Buffer => {
  const check = checkOf(bytes);
  return Buffer.concat([bytes, Buffer.from([check % 256, Math.floor(check / 256)])]);
};

const FLASH_ON = 0x0200;
const FLASH_MS = 100;
const RELAYS = 8;

/** A board with eight relays and eight inputs. Its time passes only in `advance`. */
export class SimulatedModbusSlave {
  readonly inputs = new Set<number>();
  /** Registers by number, of functions 03 and 04. */
  readonly holding = new Map<number, number>();
  readonly inputRegisters = new Map<number, number>();
  /** Executed write requests, in hex. */
  readonly executed: string[] = [];
  /** Sends no responses. */
  isSilent = false;
  /** Responds to every request with this exception. */
  exception: number | null = null;
  /** Supports the command for a timed pulse. */
  supportsPulses = true;
  /** False: ignores the command for a timed pulse without a response. */
  confirmsPulses = true;
  /** False: ignores all writes without a response. */
  confirmsWrites = true;
  /** Rejects writes to these relays. Reads work. */
  readonly stuck = new Set<number>();
  /** Bytes before each response. */
  noise = Buffer.alloc(0);
  /** How many of the next responses get a wrong checksum. */
  wrongChecksums = 0;
  reads = 0;
  readonly #onUntil = new Map<number, number>();
  #time = 0;

  isOn(relay: number): boolean {
    return (this.#onUntil.get(relay) ?? -1) > this.#time;
  }

  advance(milliseconds: number): void {
    this.#time += milliseconds;
  }

  /** Power cycle: all relays are off. */
  reset(): void {
    this.#onUntil.clear();
  }

  respond(request: Buffer): Buffer | null {
    if (this.isSilent || this.#ignores(request)) return null;
    const [unit, code] = request;
    const reply = this.exception === null ? this.#execute(request) : this.exception;
    const body = typeof reply === 'number' ? Buffer.from([unit!, code! + 0x80, reply]) : reply;
    const frame = withChecksum(body);
    if (this.wrongChecksums > 0) {
      this.wrongChecksums--;
      frame[frame.length - 1]! ^= 0x55;
    }
    return Buffer.concat([this.noise, frame]);
  }

  #ignores(request: Buffer): boolean {
    const isPulse = request.readUInt16BE(2) >= FLASH_ON;
    return request[1] === 5 && (!this.confirmsWrites || (isPulse && !this.confirmsPulses));
  }

  #execute(request: Buffer): Buffer | number {
    const [unit, code] = request;
    const [address, value] = [request.readUInt16BE(2), request.readUInt16BE(4)];
    if (code === 1) return this.#bits(unit!, code, address, value, relay => this.isOn(relay));
    if (code === 2) return this.#bits(unit!, code, address, value, input => this.inputs.has(input));
    if (code === 3) return this.#words(unit!, code, address, value, this.holding);
    if (code === 4) return this.#words(unit!, code, address, value, this.inputRegisters);
    if (code === 6) return this.#writeRegister(request, address, value);
    if (code !== 5) return 1;
    const relay = address >= FLASH_ON ? address - FLASH_ON : address;
    if (relay >= RELAYS || (address >= FLASH_ON && !this.supportsPulses)) return 2;
    if (this.stuck.has(relay)) return 4;
    if (address >= FLASH_ON) this.#onUntil.set(relay, this.#time + value * FLASH_MS);
    else if (value === 0xff00) this.#onUntil.set(relay, Infinity);
    else if (value === 0) this.#onUntil.delete(relay);
    else return 3;
    this.executed.push(request.toString('hex'));
    return Buffer.from(request.subarray(0, 6));
  }

  /** Like relay boards with commands in the high byte: 01 on, 02 off, 06 on for the seconds in the low byte. */
  #writeRegister(request: Buffer, register: number, value: number): Buffer | number {
    if (register >= RELAYS) return 2;
    const command = value >> 8;
    if (command !== 1 && command !== 2 && command !== 6) return 3;
    this.holding.set(register, command === 2 ? 0 : 1);
    this.executed.push(request.toString('hex'));
    return Buffer.from(request.subarray(0, 6));
  }

  #words(unit: number, code: number, first: number, count: number, from: ReadonlyMap<number, number>): Buffer | number {
    this.reads++;
    if (first + count > RELAYS) return 2;
    const words = Buffer.alloc(2 * count);
    for (let index = 0; index < count; index++) words.writeUInt16BE(from.get(first + index) ?? 0, 2 * index);
    return Buffer.concat([Buffer.from([unit, code, words.length]), words]);
  }

  #bits(unit: number, code: number, first: number, count: number, isSet: (number: number) => boolean): Buffer | number {
    this.reads++;
    if (first + count > RELAYS) return 2;
    const packed = Buffer.alloc(Math.ceil(count / 8));
    for (let index = 0; index < count; index++)
      if (isSet(first + index)) packed[Math.floor(index / 8)]! += 2 ** (index % 8);
    return Buffer.concat([Buffer.from([unit, code, packed.length]), packed]);
  }
}

/** Connects boards to a serial line, by address. All requests of the driver have eight bytes. */
export const connectModbusSlaves = (pty: Pty, slaves: Readonly<Record<number, SimulatedModbusSlave>>): void => {
  let pending = Buffer.alloc(0);
  pty.onBytes(bytes => {
    pending = Buffer.concat([pending, bytes]);
    for (; pending.length >= 8; pending = pending.subarray(8)) {
      const request = pending.subarray(0, 8);
      if (!withChecksum(request.subarray(0, 6)).equals(request))
        throw new Error(`Invalid request: ${request.toString('hex')}`);
      const response = slaves[request[0]!]?.respond(Buffer.from(request)) ?? null;
      if (response !== null) void pty.write(response).catch(() => undefined);
    }
  });
};
