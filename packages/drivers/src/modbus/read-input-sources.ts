import type { ModbusUnit, ModbusRegisterKind } from './modbus-bus.ts';

/** Where a board shows the level of an input, counted from 0. */
export type ModbusInputSource =
  | { readonly kind: 'bit'; readonly input: number }
  /** High while this bit is set; without a bit, while the register is not 0. */
  | {
      readonly kind: 'register';
      readonly table: ModbusRegisterKind;
      readonly register: number;
      readonly bit?: number | undefined;
    };

/** Reads a range that contains all numbers. */
const readRange = async <T>(
  numbers: readonly number[],
  read: (first: number, count: number) => Promise<readonly T[]>,
): Promise<(number: number) => T | undefined> => {
  if (numbers.length === 0) return () => undefined;
  const first = Math.min(...numbers);
  const values = await read(first, Math.max(...numbers) - first + 1);
  return number => values[number - first];
};

/** The levels of the sources, in their order, with at most one request for each function. */
export const readModbusInputSources = async (
  board: ModbusUnit,
  sources: readonly ModbusInputSource[],
): Promise<readonly boolean[]> => {
  const registersOf = (table: ModbusRegisterKind): readonly number[] =>
    sources.flatMap(source => (source.kind === 'register' && source.table === table ? [source.register] : []));
  const inputs = sources.flatMap(source => (source.kind === 'bit' ? [source.input] : []));
  const bits = await readRange(inputs, (first, count) => board.readInputs(first, count));
  const holding = await readRange(registersOf('holding'), (first, count) =>
    board.readRegisters('holding', first, count),
  );
  const input = await readRange(registersOf('input'), (first, count) => board.readRegisters('input', first, count));
  return sources.map(source => {
    if (source.kind === 'bit') return bits(source.input) === true;
    const value = (source.table === 'holding' ? holding : input)(source.register) ?? 0;
    return source.bit === undefined ? value !== 0 : ((value >> source.bit) & 1) === 1;
  });
};
