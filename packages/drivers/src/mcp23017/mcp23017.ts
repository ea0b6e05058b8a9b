import type { I2cRegisterBus } from '@lintel/service/linux/i2c';

/* Port expander with 16 lines. Registers in pairs for the lines 0 to 7 (A) and 8 to 15 (B), with the values after power-up. */
const DIRECTION = 0x00;
const PULL_UP = 0x0c;
const LEVEL = 0x12;
const LATCH = 0x14;

/** The lines of an MCP23017, one bit for each. */
export class Mcp23017 {
  readonly #bus: I2cRegisterBus;
  readonly #address: number;
  /** The lines that are outputs, and the levels at which they are off. */
  readonly #outputs: number;
  readonly #offLevels: number;
  readonly #inputs: number;

  constructor(bus: I2cRegisterBus, address: number, lines: { outputs: number; offLevels: number; inputs: number }) {
    this.#bus = bus;
    this.#address = address;
    this.#outputs = lines.outputs;
    this.#offLevels = lines.offLevels & lines.outputs;
    this.#inputs = lines.inputs;
  }

  /** The levels of all lines. Sets the chip up first if it has lost power since the last call: then all lines are inputs. */
  readLevels(): number {
    this.#ensureSetUp();
    return this.#read(LEVEL);
  }

  /** Sets one output and returns the levels of all lines afterwards. */
  writeLevel(line: number, isHigh: boolean): number {
    this.#ensureSetUp();
    const latch = this.#read(LATCH);
    const bit = 1 << line;
    // Writing the levels sets the latch.
    this.#write(LEVEL, isHigh ? latch | bit : latch & ~bit);
    return this.#read(LEVEL);
  }

  #ensureSetUp(): void {
    const inputs = 0xffff & ~this.#outputs;
    if (this.#read(DIRECTION) === inputs && this.#read(PULL_UP) === this.#inputs) return;
    this.#write(PULL_UP, this.#inputs);
    // The levels come first, so that no relay switches on for a moment.
    this.#write(LATCH, this.#offLevels);
    this.#write(DIRECTION, inputs);
  }

  #read(register: number): number {
    return this.#bus.readWord(this.#address, register);
  }

  #write(register: number, value: number): void {
    this.#bus.writeWord(this.#address, register, value & 0xffff);
  }
}
