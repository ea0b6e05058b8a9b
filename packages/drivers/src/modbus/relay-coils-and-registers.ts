import type { ModbusUnit } from './modbus-bus.ts';

/** How the board times a pulse itself: a write to another coil with the duration instead of on or off. */
export interface ModbusPulseTiming {
  /** Offset added to the coil number; 512 on Waveshare boards. */
  readonly base: number;
  readonly unit_ms: number;
}

/** The meaning of the numbers in the registers of a relay board. */
export interface ModbusRelayRegisterCodes {
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
export const createModbusCoilAccess = (pulse: ModbusPulseTiming | undefined): RelayAccess => ({
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
export const createModbusRegisterAccess = ({
  on,
  off,
  reads_on = on,
  pulse,
}: ModbusRelayRegisterCodes): RelayAccess => ({
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
