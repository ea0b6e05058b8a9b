import type { BusWithDriver } from '@lintel/hardware-profiles/buses';
import { ModbusBus } from '../../modbus/modbus-bus.ts';
import { type ModbusInput, ModbusInputs } from '../../modbus/modbus-inputs.ts';
import { ModbusOutputs } from '../../modbus/modbus-outputs.ts';
import { ReconnectingSerialLine } from '../../serial-line/serial-line.ts';
import { CombinedInputs, CombinedOutputs } from '../combined-lines.ts';
import type { BusContext, OpenedBus } from '../opened-bus.ts';
import { findSerialPath } from '../serial-path.ts';

/** The lines of each board, by the board's address. */
const byUnit = <A extends { readonly unit: number }, B>(
  lines: Readonly<Record<string, A>>,
  change: (line: A) => B,
): ReadonlyMap<number, Record<string, B>> => {
  const boards = new Map<number, Record<string, B>>();
  for (const [name, line] of Object.entries(lines))
    boards.set(line.unit, { ...boards.get(line.unit), [name]: change(line) });
  return boards;
};

const nameOf = (unit: number): string => `unit_${unit}`;

const boardsOf = (lines: Readonly<Record<string, { readonly unit: number }>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(lines).map(([name, { unit }]) => [name, nameOf(unit)]));

const inputOf = ({ input, active, debounce_ms }: BusWithDriver<'modbus'>['inputs'][string]): ModbusInput => ({
  input,
  active_low: active === 'off',
  debounce_ms,
});

export const openModbus = async (profile: BusWithDriver<'modbus'>, { clock }: BusContext): Promise<OpenedBus> => {
  const { baud_rate, parity, pulse } = profile;
  const line = new ReconnectingSerialLine({ path: findSerialPath(profile.port), baud_rate, parity });
  const bus = new ModbusBus({ line, clock, baud_rate });
  const outputs = [...byUnit(profile.outputs, ({ coil }) => coil)].map(
    ([unit, coils]) =>
      [
        nameOf(unit),
        new ModbusOutputs({ bus, clock, unit, outputs: coils, ...(pulse === undefined ? {} : { pulse }) }),
      ] as const,
  );
  const inputs = [...byUnit(profile.inputs, inputOf)].map(
    ([unit, own]) => [nameOf(unit), new ModbusInputs({ bus, clock, unit, inputs: own })] as const,
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
