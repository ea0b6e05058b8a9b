import { after } from '@lintel/access-core/monotonic';
import modbusSerial from 'modbus-serial';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { FaultListener } from '../ports/part-fault.ts';
import type { SerialLine } from '../serial-line/serial-line-port.ts';
import { RtuPort } from './rtu-port.ts';

export interface ModbusBusOptions {
  readonly line: SerialLine;
  readonly clock: MonotonicClock;
  /** How long a board may think. */
  readonly answer_ms?: number;
}

/** What can be asked of a board. */
export interface ModbusUnit {
  readCoils(first: number, count: number): Promise<readonly boolean[]>;
  readInputs(first: number, count: number): Promise<readonly boolean[]>;
  writeCoil(coil: number, on: boolean): Promise<void>;
  /** A number where other boards take on or off. */
  writeCoilValue(coil: number, value: number): Promise<void>;
}

const UNKNOWN_TO_BOARD: ReadonlySet<number> = new Set([1, 2, 3]);

/** The board answered, and refused. */
export class ModbusExceptionError extends Error {
  override readonly name = 'ModbusExceptionError';
  /** It does not know the function, the address or the value: the same would be refused again. */
  readonly isOfCommand: boolean;

  constructor(message: string, code: number, options?: ErrorOptions) {
    super(message, options);
    this.isOfCommand = UNKNOWN_TO_BOARD.has(code);
  }
}

/** The board answers, and the line spoils it. */
export class ModbusFrameError extends Error {
  override readonly name = 'ModbusFrameError';
}

// Its types speak of an ES module, and it is none.
const { default: ModbusClient } = modbusSerial;

const ANSWER_MS = 200;
/** Three and a half characters at 9600 baud, by which boards tell two requests apart. */
const SILENCE_MS = 5;
const TRIES = 2;

type Work = () => Promise<void>;

const isRefusal = (error: unknown): error is Error & { readonly modbusCode: number } =>
  error instanceof Error && 'modbusCode' in error;

/** One line with several boards: one question at a time, commands before polls. */
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
    this.#client.setTimeout(options.answer_ms ?? ANSWER_MS);
  }

  /** Fails when the board does not answer twice, with ModbusFrameError when it did; with ModbusExceptionError when it does not want to. */
  ask<T>(unit: number, urgency: 'command' | 'poll', question: (board: ModbusUnit) => Promise<T>): Promise<T> {
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
    const { clock } = this.#options;
    return new Promise(over => void clock.wake(after(clock.now(), SILENCE_MS), over));
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
    if (!this.#port.isOpen || !this.#port.hasDamage)
      return new Error(`Modbus board ${unit} does not answer`, { cause });
    const remedy = 'look at termination, bias, ground, baud rate and parity, and for a second board at this address';
    return new ModbusFrameError(`the answers of Modbus board ${unit} come damaged: ${remedy}`, { cause });
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
