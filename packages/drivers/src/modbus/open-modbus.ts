import { createModbusRtuBus, createModbusTcpBus, type ModbusBus } from './bus.ts';
import { type ModbusInputSource, type ModbusInputConfig, ModbusInputs } from './inputs.ts';
import { ModbusOutputs } from './outputs.ts';
import { ReconnectingTcpLine } from '../network/reconnecting-tcp-line.ts';
import { ReconnectingSerialLine } from '../serial-line/reconnecting-serial-line.ts';
import { CombinedInputs, CombinedOutputs } from '../base/combined-lines.ts';
import type { OpenedBus, BusContext } from '../definition/context.ts';
import { requireSerialPath, type SerialPortChoice } from '../serial-line/serial-port.ts';
import type { ModbusBoards } from './settings.ts';

type Output = ModbusBoards['outputs'][string];
type Input = ModbusBoards['inputs'][string];

/** The lines of each board, by the board's address. */
const byUnit = <A extends { readonly unit: number }>(
  lines: Readonly<Record<string, A>>,
): ReadonlyMap<number, Readonly<Record<string, A>>> => {
  const boards = new Map<number, Record<string, A>>();
  for (const [name, line] of Object.entries(lines)) boards.set(line.unit, { ...boards.get(line.unit), [name]: line });
  return boards;
};

const mapped = <A, B>(lines: Readonly<Record<string, A>>, change: (line: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(lines).map(([name, line]) => [name, change(line)]));

const nameOf = (unit: number): string => `unit_${unit}`;

const boardsOf = (lines: Readonly<Record<string, { readonly unit: number }>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(lines).map(([name, { unit }]) => [name, nameOf(unit)]));

const sourceOf = (input: Input): ModbusInputSource => {
  if (input.input !== undefined) return { kind: 'bit', input: input.input };
  const { register = 0, bit, table } = input;
  return { kind: 'register', table, register, bit };
};

const inputOf = (input: Input): ModbusInputConfig => ({
  source: sourceOf(input),
  active_low: input.active === 'off',
  debounce_ms: input.debounce_ms,
});

/** The outputs of a unit are all coils or all registers. */
const openOutputs = (
  outputs: Readonly<Record<string, Output>>,
  { pulse, register_values }: ModbusBoards,
  base: Pick<ConstructorParameters<typeof ModbusOutputs>[0], 'bus' | 'clock' | 'unit'>,
): ModbusOutputs => {
  const isOfRegisters = Object.values(outputs).some(({ register }) => register !== undefined);
  const numbers = mapped(outputs, ({ coil, register }) => coil ?? register ?? 0);
  return new ModbusOutputs({
    ...base,
    outputs: numbers,
    ...(isOfRegisters ? { registers: register_values } : { pulse }),
  });
};

const openBoards = (profile: ModbusBoards, bus: ModbusBus, { clock }: BusContext): OpenedBus => {
  const outputs = [...byUnit(profile.outputs)].map(
    ([unit, own]) => [nameOf(unit), openOutputs(own, profile, { bus, clock, unit })] as const,
  );
  const inputs = [...byUnit(profile.inputs)].map(
    ([unit, own]) => [nameOf(unit), new ModbusInputs({ bus, clock, unit, inputs: mapped(own, inputOf) })] as const,
  );
  const boards = new Map(outputs);
  for (const [name, board] of inputs)
    board.onFault(fault => {
      if (fault?.kind === 'absent') boards.get(name)?.distrust(fault.message);
    });
  return {
    outputs: new CombinedOutputs(boards, boardsOf(profile.outputs), null),
    inputs: new CombinedInputs(new Map(inputs), boardsOf(profile.inputs), null),
    close: async () => {
      for (const [, board] of inputs) board.close();
      await Promise.allSettled(outputs.map(([, board]) => board.close()));
      await bus.close();
    },
  };
};

type SerialSettings = ModbusBoards & {
  readonly port: SerialPortChoice;
  readonly baud_rate: number;
  readonly parity: 'none' | 'even' | 'odd';
};

export const openModbus = async (settings: SerialSettings, context: BusContext): Promise<OpenedBus> => {
  const { baud_rate, parity } = settings;
  const line = new ReconnectingSerialLine({ path: requireSerialPath(settings.port), baud_rate, parity });
  return openBoards(settings, createModbusRtuBus({ line, clock: context.clock, baud_rate }), context);
};

type NetworkSettings = ModbusBoards & { readonly host: string; readonly tcp_port: number };

export const openModbusTcp = async (settings: NetworkSettings, context: BusContext): Promise<OpenedBus> => {
  const { clock } = context;
  const line = new ReconnectingTcpLine({ host: settings.host, port: settings.tcp_port, clock });
  return openBoards(settings, createModbusTcpBus({ line, clock }), context);
};
