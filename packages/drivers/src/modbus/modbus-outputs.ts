import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import { ConfirmedRelays } from '../relays/confirmed-relays/confirmed-relays.ts';
import type { RelayLink } from '../relays/confirmed-relays/relay-link-interface.ts';
import { type ModbusBus, ModbusExceptionError, isModbusResponseError, type ModbusUnit } from './modbus-bus.ts';
import {
  createModbusCoilAccess,
  createModbusRegisterAccess,
  type ModbusPulseTiming,
  type ModbusRelayRegisterCodes,
} from './relay-coils-and-registers.ts';

export interface ModbusOutputsOptions {
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
