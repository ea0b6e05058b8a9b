import { addMilliseconds } from '@lintel/access-core/monotonic';
import modbusSerial from 'modbus-serial';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { FaultListener } from '../ports/part-fault.ts';
import type { SerialLine } from '../serial-line/serial-line-port.ts';
import { RtuPort } from './rtu-port.ts';

export interface ModbusBusOptions {
  readonly line: SerialLine;
  readonly clock: MonotonicClock;
  readonly baud_rate: number;
}

/** The requests that a board accepts. */
export interface ModbusUnit {
  readCoils(first: number, count: number): Promise<readonly boolean[]>;
  readInputs(first: number, count: number): Promise<readonly boolean[]>;
  writeCoil(coil: number, on: boolean): Promise<void>;
  /** Writes a number to a coil instead of on or off. */
  writeCoilValue(coil: number, value: number): Promise<void>;
}

const UNKNOWN_TO_BOARD: ReadonlySet<number> = new Set([1, 2, 3]);

/** The board responded with an exception. */
export class ModbusExceptionError extends Error {
  override readonly name = 'ModbusExceptionError';
  /** The board does not support the function, address or value, so a retry would fail too. */
  readonly isOfCommand: boolean;

  constructor(message: string, code: number, options?: ErrorOptions) {
    super(message, options);
    this.isOfCommand = UNKNOWN_TO_BOARD.has(code);
  }
}

/** The board responds, but the frames arrive damaged. */
export class ModbusFrameError extends Error {
  override readonly name = 'ModbusFrameError';
}

// Its types declare an ES module, but it is CommonJS.
const { default: ModbusClient } = modbusSerial;

/** Time that a board may take, in addition to the time on the line. */
const RESPONSE_TIMEOUT_MS = 200;
/** Start bit, eight data bits, parity, stop bit. */
const BITS_PER_CHARACTER = 11;
/** The longest request and response of the driver together. */
const EXCHANGE_CHARACTERS = 8 + 37;
const SHORTEST_SILENCE_MS = 5;

const transmissionMs = (characters: number, baud_rate: number): number =>
  Math.ceil((characters * BITS_PER_CHARACTER * 1_000) / baud_rate);

/** The gap of 3.5 characters that separates two requests. */
export const computeSilenceMs = (baud_rate: number): number =>
  Math.max(SHORTEST_SILENCE_MS, transmissionMs(3.5, baud_rate));
const TRIES = 2;

type Work = () => Promise<void>;

const isRefusal = (error: unknown): error is Error & { readonly modbusCode: number } =>
  error instanceof Error && 'modbusCode' in error;

/** A serial line with several boards. Sends one request at a time, commands before polls. */
export class ModbusBus {
  readonly #options: ModbusBusOptions;
  readonly #port: RtuPort;
  readonly #client: InstanceType<typeof ModbusClient>;
  readonly #commands: Work[] = [];
  readonly #polls: Work[] = [];
  #isBusy = false;

  constructor(options: ModbusBusOptions) {
    this.#options = options;
    this.#port = new RtuPort(options.line);
    this.#client = new ModbusClient(this.#port);
    this.#client.open();
    this.#client.setTimeout(RESPONSE_TIMEOUT_MS + transmissionMs(EXCHANGE_CHARACTERS, options.baud_rate));
  }

  /**
   * Rejects after two requests without a response, with ModbusFrameError if the response was damaged, with
   * ModbusExceptionError if the board refused.
   */
  request<T>(unit: number, urgency: 'command' | 'poll', question: (board: ModbusUnit) => Promise<T>): Promise<T> {
    return new Promise((answered, failed) => {
      const queue = urgency === 'command' ? this.#commands : this.#polls;
      queue.push(() => this.#twice(unit, question).then(answered, failed));
      void this.#run();
    });
  }

  onFault(listener: FaultListener): void {
    this.#options.line.onFault(listener);
  }

  async close(): Promise<void> {
    this.#polls.length = 0;
    await this.#options.line.close();
  }

  async #run(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    for (let work = this.#next(); work !== undefined; work = this.#next()) {
      await work();
      await this.#silence();
    }
    this.#isBusy = false;
  }

  #next(): Work | undefined {
    return this.#commands.shift() ?? this.#polls.shift();
  }

  #silence(): Promise<void> {
    const { clock, baud_rate } = this.#options;
    return new Promise(over => void clock.wake(addMilliseconds(clock.now(), computeSilenceMs(baud_rate)), over));
  }

  async #twice<T>(unit: number, question: (board: ModbusUnit) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        this.#client.setID(unit);
        return await question(this.#board());
      } catch (error) {
        if (isRefusal(error))
          throw new ModbusExceptionError(`Modbus board ${unit}: ${error.message}`, error.modbusCode, { cause: error });
        if (attempt === TRIES || !this.#port.isOpen) throw this.#unanswered(unit, error);
        await this.#silence();
      }
    }
  }

  #unanswered(unit: number, cause: unknown): Error {
    if (this.#port.lineFault !== null) return new Error(this.#port.lineFault, { cause });
    if (!this.#port.hasDamage) return new Error(`Modbus board ${unit} does not respond`, { cause });
    const remedy = 'check termination, bias, ground, baud rate and parity, and look for a second board at this address';
    return new ModbusFrameError(`Responses of Modbus board ${unit} arrive damaged: ${remedy}`, { cause });
  }

  #board(): ModbusUnit {
    return {
      readCoils: async (first, count) => (await this.#client.readCoils(first, count)).data.slice(0, count),
      readInputs: async (first, count) => (await this.#client.readDiscreteInputs(first, count)).data.slice(0, count),
      writeCoil: async (coil, on) => void (await this.#client.writeCoil(coil, on)),
      writeCoilValue: async (coil, value) => {
        this.#port.amendNextWrite(value);
        await this.#client.writeCoil(coil, true);
      },
    };
  }
}
