import { addMilliseconds } from '@lintel/access-core/monotonic-time';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import modbusSerial from 'modbus-serial';
import type { PartFaultListener } from '../interfaces/part-fault.ts';
import { BusRequestQueue } from '../request-queue/request-queue.ts';
import type { SerialLine } from '../serial-line/serial-line-interface.ts';
import { type ModbusPort, ModbusRtuPort, ModbusTcpPort } from './port.ts';

interface ModbusBusOptions {
  readonly line: SerialLine;
  /** Puts requests on the line and finds responses on it. */
  readonly port: ModbusPort;
  readonly clock: MonotonicClock;
  /** Pause after each request. */
  readonly silence_ms: number;
  /** How long a request and a response of this many bytes together may take. */
  timeoutFor(bytes: number): number;
}

/** `holding`: registers that can be written, function 03. `input`: registers that can only be read, function 04. */
export type ModbusRegisterKind = 'holding' | 'input';

/** The requests that a board accepts. */
export interface ModbusUnit {
  readCoils(first: number, count: number): Promise<readonly boolean[]>;
  readInputs(first: number, count: number): Promise<readonly boolean[]>;
  writeCoil(coil: number, on: boolean): Promise<void>;
  /** Writes a number to a coil instead of on or off. */
  writeCoilValue(coil: number, value: number): Promise<void>;
  readRegisters(table: ModbusRegisterKind, first: number, count: number): Promise<readonly number[]>;
  writeRegister(register: number, value: number): Promise<void>;
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
class ModbusFrameError extends Error {
  override readonly name = 'ModbusFrameError';
}

// Its types declare an ES module, but it is CommonJS.
const { default: ModbusClient } = modbusSerial;

const REQUEST_BYTES = 8;
/** Unit, function, length and CRC of a response that carries values. */
const RESPONSE_BYTES = 5;
const TRIES = 2;

const isRefusal = (error: unknown): error is Error & { readonly modbusCode: number } =>
  error instanceof Error && 'modbusCode' in error;

/** The board responded with an exception, or with damaged frames. */
export const isModbusResponseError = (error: unknown): boolean =>
  error instanceof ModbusExceptionError || error instanceof ModbusFrameError;

/** A line with several boards. Sends one request at a time, commands before polls. */
export class ModbusBus {
  readonly #options: ModbusBusOptions;
  readonly #client: InstanceType<typeof ModbusClient>;
  readonly #queue = new BusRequestQueue(() => this.#silence());

  constructor(options: ModbusBusOptions) {
    this.#options = options;
    this.#client = new ModbusClient(options.port);
    this.#client.open();
  }

  /**
   * Rejects after two requests without a response, with ModbusFrameError if the response was damaged, with
   * ModbusExceptionError if the board refused.
   */
  request<T>(unit: number, urgency: 'command' | 'poll', question: (board: ModbusUnit) => Promise<T>): Promise<T> {
    return this.#queue.add(urgency, () => this.#twice(unit, question));
  }

  onFault(listener: PartFaultListener): void {
    this.#options.line.onFault(listener);
  }

  async close(): Promise<void> {
    this.#queue.dropPolls();
    await this.#options.line.close();
  }

  #silence(): Promise<void> {
    const { clock, silence_ms } = this.#options;
    if (silence_ms === 0) return Promise.resolve();
    return new Promise(over => void clock.wake(addMilliseconds(clock.now(), silence_ms), over));
  }

  async #twice<T>(unit: number, question: (board: ModbusUnit) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        this.#client.setID(unit);
        return await question(this.#board());
      } catch (error) {
        if (isRefusal(error))
          throw new ModbusExceptionError(`Modbus board ${unit}: ${error.message}`, error.modbusCode, { cause: error });
        if (attempt === TRIES || !this.#options.port.isOpen) throw this.#unanswered(unit, error);
        await this.#silence();
      }
    }
  }

  #unanswered(unit: number, cause: unknown): Error {
    const { lineFault, hasDamage } = this.#options.port;
    if (lineFault !== null) return new Error(lineFault, { cause });
    if (!hasDamage) return new Error(`Modbus board ${unit} does not respond`, { cause });
    const remedy = 'check termination, bias, ground, baud rate and parity, and look for a second board at this address';
    return new ModbusFrameError(`Responses of Modbus board ${unit} arrive damaged: ${remedy}`, { cause });
  }

  /** Sets the time limit for a response with this many bytes of values. */
  #expect(valueBytes: number): InstanceType<typeof ModbusClient> {
    this.#client.setTimeout(this.#options.timeoutFor(REQUEST_BYTES + RESPONSE_BYTES + valueBytes));
    return this.#client;
  }

  #board(): ModbusUnit {
    const expectBits = (count: number) => this.#expect(Math.ceil(count / 8));
    const expectEcho = () => this.#expect(REQUEST_BYTES - RESPONSE_BYTES);
    return {
      readCoils: async (first, count) => (await expectBits(count).readCoils(first, count)).data.slice(0, count),
      readInputs: async (first, count) =>
        (await expectBits(count).readDiscreteInputs(first, count)).data.slice(0, count),
      writeCoil: async (coil, on) => void (await expectEcho().writeCoil(coil, on)),
      writeCoilValue: async (coil, value) => {
        this.#options.port.amendNextWrite(value);
        await expectEcho().writeCoil(coil, true);
      },
      readRegisters: async (table, first, count) => {
        const client = this.#expect(2 * count);
        const read =
          table === 'holding' ? client.readHoldingRegisters(first, count) : client.readInputRegisters(first, count);
        return (await read).data;
      },
      writeRegister: async (register, value) => void (await expectEcho().writeRegister(register, value)),
    };
  }
}

interface LineOptions {
  readonly line: SerialLine;
  readonly clock: MonotonicClock;
}

/** Time that a board may take, in addition to the time on the line. */
const RESPONSE_TIMEOUT_MS = 200;
const NETWORK_TIMEOUT_MS = 1_000;
/** Start bit, eight data bits, parity, stop bit. */
const BITS_PER_CHARACTER = 11;
const SHORTEST_SILENCE_MS = 5;

const transmissionMs = (characters: number, baud_rate: number): number =>
  Math.ceil((characters * BITS_PER_CHARACTER * 1_000) / baud_rate);

/** The gap of 3.5 characters that separates two requests. */
export const computeModbusSilenceMs = (baud_rate: number): number =>
  Math.max(SHORTEST_SILENCE_MS, transmissionMs(3.5, baud_rate));

/** Modbus RTU on a serial line. */
export const createModbusRtuBus = ({
  line,
  clock,
  baud_rate,
}: LineOptions & { readonly baud_rate: number }): ModbusBus =>
  new ModbusBus({
    line,
    port: new ModbusRtuPort(line),
    clock,
    silence_ms: computeModbusSilenceMs(baud_rate),
    timeoutFor: bytes => RESPONSE_TIMEOUT_MS + transmissionMs(bytes, baud_rate),
  });

/** Modbus TCP on a network connection. */
export const createModbusTcpBus = ({ line, clock }: LineOptions): ModbusBus =>
  new ModbusBus({
    line,
    port: new ModbusTcpPort(line),
    clock,
    silence_ms: 0,
    timeoutFor: () => NETWORK_TIMEOUT_MS,
  });
