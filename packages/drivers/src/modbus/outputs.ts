import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import { ConfirmedRelays, type RelayLink } from '../relay-boards/confirmed-relays.ts';
import { type ModbusUnit, type ModbusBus, ModbusExceptionError, isModbusResponseError } from './bus.ts';

/** How the board times a pulse itself: a write to another coil with the duration instead of on or off. */
interface ModbusPulseTiming {
  /** Offset added to the coil number; 512 on Waveshare boards. */
  readonly base: number;
  readonly unit_ms: number;
}

/** The meaning of the numbers in the registers of a relay board. */
interface ModbusRelayRegisterCodes {
  readonly on: number;
  readonly off: number;
  /** What a register contains while its relay is on, if it is not `on`. */
  readonly reads_on?: number | undefined;
  /** A pulse is `base` plus its duration, written to the register. */
  readonly pulse?: { readonly base: number; readonly unit_ms: number; readonly longest: number } | undefined;
}

type Write = (board: ModbusUnit, number: number) => Promise<void>;

interface RelayAccess {
  read(board: ModbusUnit, first: number, count: number): Promise<readonly boolean[]>;
  write(board: ModbusUnit, number: number, on: boolean): Promise<void>;
  /** Null if the board does not time this pulse. */
  pulse(pulse_ms: number): Write | null;
}

const LONGEST_COIL_PULSE = 0x7fff;

const countUnits = (pulse_ms: number, unit_ms: number, longest: number): number | null => {
  const units = Math.max(1, Math.ceil(pulse_ms / unit_ms));
  return units > longest ? null : units;
};

/** Functions 01 and 05. */
const createModbusCoilAccess = (pulse: ModbusPulseTiming | undefined): RelayAccess => ({
  read: (board, first, count) => board.readCoils(first, count),
  write: (board, coil, on) => board.writeCoil(coil, on),
  pulse: pulse_ms => {
    const units = pulse === undefined ? null : countUnits(pulse_ms, pulse.unit_ms, LONGEST_COIL_PULSE);
    return pulse === undefined || units === null
      ? null
      : (board, coil) => board.writeCoilValue(pulse.base + coil, units);
  },
});

/** Functions 03 and 06. */
const createModbusRegisterAccess = ({ on, off, reads_on = on, pulse }: ModbusRelayRegisterCodes): RelayAccess => ({
  read: async (board, first, count) => {
    const values = await board.readRegisters('holding', first, count);
    return values.map(value => value === reads_on);
  },
  write: (board, register, isOn) => board.writeRegister(register, isOn ? on : off),
  pulse: pulse_ms => {
    const units = pulse === undefined ? null : countUnits(pulse_ms, pulse.unit_ms, pulse.longest);
    return pulse === undefined || units === null
      ? null
      : (board, register) => board.writeRegister(register, pulse.base + units);
  },
});

interface ModbusOutputsOptions {
  readonly bus: ModbusBus;
  readonly clock: MonotonicClock;
  /** The address of the board. */
  readonly unit: number;
  /** The coil or register of each output, counted from 0. */
  readonly outputs: Readonly<Record<string, number>>;
  /** For boards that time pulses of coils themselves. */
  readonly pulse?: ModbusPulseTiming | undefined;
  /** Set if the outputs are registers and not coils. */
  readonly registers?: ModbusRelayRegisterCodes | undefined;
}

const createLink = ({ bus, unit, outputs, pulse, registers }: ModbusOutputsOptions): RelayLink<ModbusUnit> => {
  const access = registers === undefined ? createModbusCoilAccess(pulse) : createModbusRegisterAccess(registers);
  const numbers = Object.values(outputs);
  const first = Math.min(...numbers);
  const count = Math.max(...numbers) - first + 1;
  return {
    request: (urgency, question) => bus.request(unit, urgency, question),
    read: async board => {
      const states = await access.read(board, first, count);
      return output => states[outputs[output]! - first] === true;
    },
    write: (board, output, on) => access.write(board, outputs[output]!, on),
    pulse: pulse_ms => {
      const write = access.pulse(pulse_ms);
      return write === null ? null : (board, output) => write(board, outputs[output]!);
    },
    isBroken: isModbusResponseError,
    isFailureOfOutput: error => error instanceof ModbusExceptionError && !error.isOfCommand,
    onConnectionFault: listener => bus.onFault(listener),
  };
};

/** Relays of a board on a Modbus line. */
export class ModbusOutputs extends ConfirmedRelays<ModbusUnit> {
  constructor(options: ModbusOutputsOptions) {
    super({ clock: options.clock, outputs: Object.keys(options.outputs), link: createLink(options) });
  }
}
