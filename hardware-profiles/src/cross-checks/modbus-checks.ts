import type { ProfilePath } from '../collect-bus-parts.ts';
import type { HardwareBus, BusWithDriver } from '../bus-schemas.ts';
import type { ProfileCrossCheck } from './cross-check-type-and-part-names.ts';

type ModbusBus = BusWithDriver<'modbus' | 'modbus-tcp'>;

const isModbus = (entry: [string, HardwareBus]): entry is [string, ModbusBus] =>
  entry[1].driver === 'modbus' || entry[1].driver === 'modbus-tcp';

const describeInput = ({ input, register, bit, table }: ModbusBus['inputs'][string]): string => {
  if (input !== undefined) return `input ${input}`;
  return `${bit === undefined ? '' : `bit ${bit} of `}${table} register ${register}`;
};

/** What each line occupies on its board. */
export const listModbusChannels = (bus: ModbusBus): readonly (readonly [channel: string, at: ProfilePath])[] => [
  ...Object.entries(bus.outputs).map(([name, { unit, coil, register }]) => {
    const field = coil === undefined ? 'register' : 'coil';
    return [`${field} ${coil ?? register} of unit ${unit}`, ['outputs', name, field]] as const;
  }),
  ...Object.entries(bus.inputs).map(([name, input]) => {
    const field = input.input === undefined ? 'register' : 'input';
    return [`${describeInput(input)} of unit ${input.unit}`, ['inputs', name, field]] as const;
  }),
];

const MAX_COIL = 0xffff;

/** A timed pulse uses the coil number plus `pulse.base`, which must be a valid coil. */
export const checkModbusPulseCoilsExist: ProfileCrossCheck = ({ buses }, report) => {
  for (const [name, bus] of Object.entries(buses).filter(isModbus)) {
    if (bus.pulse === undefined) continue;
    const { base } = bus.pulse;
    for (const [output, { coil }] of Object.entries(bus.outputs))
      if (coil !== undefined && base + coil > MAX_COIL)
        report(
          ['buses', name, 'outputs', output, 'coil'],
          `must be at most ${MAX_COIL} after adding pulse.base ${base}`,
        );
  }
};

export const checkModbusOutputsOfUnitAreAlike: ProfileCrossCheck = ({ buses }, report) => {
  for (const [name, bus] of Object.entries(buses).filter(isModbus)) {
    const kinds = new Map<number, boolean>();
    for (const [output, { unit, register }] of Object.entries(bus.outputs)) {
      const isRegister = register !== undefined;
      if ((kinds.get(unit) ?? isRegister) !== isRegister)
        report(['buses', name, 'outputs', output], `all outputs of unit ${unit} must be coils, or all registers`);
      kinds.set(unit, isRegister);
    }
  }
};

/** Limits of the standard for one request. */
const MOST_BITS = 2_000;
const MOST_REGISTERS = 125;

/** The numbers that are read in one request, by kind and unit, with the path of each. */
const readGroups = (bus: ModbusBus): ReadonlyMap<string, readonly (readonly [number: number, at: ProfilePath])[]> => {
  const groups = new Map<string, (readonly [number, ProfilePath])[]>();
  const add = (group: string, number: number, at: ProfilePath): void => {
    groups.set(group, [...(groups.get(group) ?? []), [number, at]]);
  };
  for (const [name, { unit, coil, register }] of Object.entries(bus.outputs))
    if (coil === undefined) add(`registers ${unit}`, register ?? 0, ['outputs', name, 'register']);
    else add(`coils ${unit}`, coil, ['outputs', name, 'coil']);
  for (const [name, { unit, input, register, table }] of Object.entries(bus.inputs))
    if (input === undefined) add(`registers of ${table} inputs ${unit}`, register ?? 0, ['inputs', name, 'register']);
    else add(`inputs ${unit}`, input, ['inputs', name, 'input']);
  return groups;
};

/** All lines of a board are read at once. */
export const checkModbusReadsFitRequests: ProfileCrossCheck = ({ buses }, report) => {
  for (const [name, bus] of Object.entries(buses).filter(isModbus))
    for (const [group, lines] of readGroups(bus)) {
      const most = group.startsWith('registers') ? MOST_REGISTERS : MOST_BITS;
      const first = Math.min(...lines.map(([number]) => number));
      for (const [number, at] of lines)
        if (number - first >= most)
          report(['buses', name, ...at], `must be less than ${first + most}: the board is read in one request`);
    }
};
