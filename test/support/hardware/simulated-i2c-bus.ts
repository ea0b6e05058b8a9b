import type { I2cBus } from '@lintel/service/linux/i2c';

/** An I2C bus at the level of bytes. Each device has registers of 16 bits, high byte first. */
export class SimulatedI2cBus implements I2cBus {
  readonly #devices = new Map<number, Map<number, number>>();
  /** `36 <- 02 -> c350`: address, bytes written, bytes read. */
  readonly transfers: string[] = [];

  setRegister(address: number, register: number, value: number): void {
    const registers = this.#devices.get(address) ?? new Map<number, number>();
    this.#devices.set(address, registers.set(register, value & 0xffff));
  }

  remove(address: number): void {
    this.#devices.delete(address);
  }

  receive(): Buffer {
    throw new Error('No device of the test is read without a register');
  }

  transfer(address: number, bytes: Uint8Array, readLength: number): Buffer {
    const registers = this.#devices.get(address);
    // As Linux reports an address that nothing acknowledges.
    if (registers === undefined) throw Object.assign(new Error('ioctl: EREMOTEIO'), { code: 'EREMOTEIO' });
    const read = Buffer.alloc(readLength);
    for (let index = 0; index < readLength; index++) {
      const value = registers.get(bytes[0]! + (index >> 1)) ?? 0;
      read[index] = index % 2 === 0 ? value >> 8 : value & 0xff;
    }
    this.transfers.push(`${address.toString(16)} <- ${Buffer.from(bytes).toString('hex')} -> ${read.toString('hex')}`);
    return read;
  }
}
