import type { I2cRegisterBus } from '@lintel/service/linux/i2c';

/** An I2C bus at the level of registers. Each device has registers of 16 bits, high byte first. */
export class SimulatedI2cBus implements I2cRegisterBus {
  readonly #devices = new Map<number, Map<number, number>>();
  /** `36 <- 02 -> c350`: address, register, bytes in the order of the bus. */
  readonly transfers: string[] = [];

  setRegister(address: number, register: number, value: number): void {
    const registers = this.#devices.get(address) ?? new Map<number, number>();
    this.#devices.set(address, registers.set(register, value & 0xffff));
  }

  remove(address: number): void {
    this.#devices.delete(address);
  }

  readWord(address: number, register: number): number {
    const registers = this.#devices.get(address);
    // As Linux reports an address that nothing acknowledges.
    if (registers === undefined) throw Object.assign(new Error('ioctl: EREMOTEIO'), { code: 'EREMOTEIO' });
    const bytes = Buffer.alloc(2);
    bytes.writeUInt16BE(registers.get(register) ?? 0);
    const sent = Buffer.of(register).toString('hex');
    this.transfers.push(`${address.toString(16)} <- ${sent} -> ${bytes.toString('hex')}`);
    return bytes.readUInt16LE();
  }

  writeWord(): void {
    throw new Error('No device of the test has registers to write');
  }
}
