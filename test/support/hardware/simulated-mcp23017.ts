import type { I2cRegisterBus } from '@lintel/service/linux/i2c';

/** An MCP23017 at the level of registers, written from its data sheet. Shares no code with the driver. */
export class SimulatedMcp23017 implements I2cRegisterBus {
  readonly #registers = new Uint8Array(0x16);
  readonly address: number;
  /** Lines that something outside pulls to ground. */
  readonly grounded = new Set<number>();
  isConnected = true;
  #next = 0;
  /** Written bytes in hex, register first. */
  readonly writes: string[] = [];

  constructor(address = 0x20) {
    this.address = address;
    this.reset();
  }

  /** After power-up all lines are inputs. */
  reset(): void {
    this.#registers.fill(0);
    this.#registers.fill(0xff, 0x00, 0x02);
  }

  /** An input is high through its pull-up; without one it floats, here low. */
  isHigh(line: number): boolean {
    const bit = (register: number): boolean => ((this.#registers[register + (line >> 3)]! >> (line & 7)) & 1) === 1;
    if (this.grounded.has(line)) return false;
    return bit(0x00) ? bit(0x0c) : bit(0x14);
  }

  #requireConnected(address: number): void {
    if (!this.isConnected || address !== this.address)
      throw Object.assign(new Error('ioctl: EREMOTEIO'), { code: 'EREMOTEIO' });
  }

  readWord(address: number, register: number): number {
    this.send(address, [register]);
    return this.receive(address, 2).readUInt16LE();
  }

  writeWord(address: number, register: number, value: number): void {
    this.send(address, [register, value & 0xff, value >> 8]);
  }

  /** A transfer to the chip: the first byte is the register of the next one. */
  send(address: number, [register = this.#next, ...bytes]: Iterable<number>): void {
    this.#requireConnected(address);
    this.#next = register;
    if (bytes.length > 0) this.writes.push(Buffer.from([register, ...bytes]).toString('hex'));
    for (const byte of bytes) {
      // Writing GPIO (0x12, 0x13) modifies OLAT (data sheet, 3.5.10).
      const written = this.#next === 0x12 || this.#next === 0x13 ? this.#next + 2 : this.#next;
      this.#registers[written] = byte;
      this.#next += 1;
    }
  }

  receive(address: number, length: number): Buffer {
    this.#requireConnected(address);
    return Buffer.from(Array.from({ length }, () => this.#read(this.#next++)));
  }

  #read(register: number): number {
    if (register !== 0x12 && register !== 0x13) return this.#registers[register] ?? 0;
    const first = (register - 0x12) * 8;
    return Array.from({ length: 8 }, (_, bit) => (this.isHigh(first + bit) ? 2 ** bit : 0)).reduce((a, b) => a + b, 0);
  }
}
