import * as z from 'zod';
import type { Channel, ProfilePath } from '../definition/define-driver.ts';
import { createMillisecondsSchema, createRecordByPartNameSchema, wireDescriptionSchema } from '../definition/fields.ts';

const unit = z.int().min(1).max(247);
const number = z.int().min(0).max(65_535);

const hasOneOf = (a: unknown, b: unknown): boolean => (a === undefined) !== (b === undefined);

/** A relay is a coil (functions 01 and 05) or a holding register (03 and 06). */
const modbusOutput = z
  .strictObject({ unit, coil: number.optional(), register: number.optional(), wire: wireDescriptionSchema })
  .check(({ value, issues }) => {
    if (hasOneOf(value.coil, value.register)) return;
    issues.push({ code: 'custom', input: value, path: [], message: 'must have either coil or register' });
  });

/** A contact is a discrete input (function 02) or in a register (03 or 04), as one of its bits or as the whole. */
const modbusInput = z
  .strictObject({
    unit,
    input: number.optional(),
    register: number.optional(),
    /** Counted from 0, the least significant. Without it, every value but 0 is on. */
    bit: z.int().min(0).max(15).optional(),
    /** `holding`: function 03. `input`: function 04. */
    table: z.enum(['holding', 'input']).default('holding'),
    active: z.enum(['on', 'off']).default('on'),
    debounce_ms: createMillisecondsSchema(0, 1_000).default(100),
    wire: wireDescriptionSchema,
  })
  .check(({ value, issues }) => {
    if (!hasOneOf(value.input, value.register))
      issues.push({ code: 'custom', input: value, path: [], message: 'must have either input or register' });
    if (value.bit !== undefined && value.register === undefined)
      issues.push({ code: 'custom', input: value.bit, path: ['bit'], message: 'requires register' });
  });

/** The numbers that switch a relay in a register. */
const registerValues = z.strictObject({
  on: number.default(1),
  off: number.default(0),
  /** What the register contains while the relay is on, if it differs from `on`. */
  reads_on: number.optional(),
  /** For boards that time pulses themselves: the value is `base` plus the duration in `unit_ms`. */
  pulse: z
    .strictObject({
      base: number,
      unit_ms: createMillisecondsSchema(1, 10_000),
      longest: z.int().min(1).max(32_767).default(255),
    })
    .optional(),
});

/** The fields of boards on a serial line and in a network. */
export const modbusBoards = {
  /**
   * For boards that time pulses themselves and relock even after a crash of the process: `base` is added to the coil number,
   * and the value counts in `unit_ms`.
   */
  pulse: z.strictObject({ base: z.int().min(1).max(65_535), unit_ms: createMillisecondsSchema(1, 10_000) }).optional(),
  register_values: registerValues.prefault({}),
  outputs: createRecordByPartNameSchema(modbusOutput),
  inputs: createRecordByPartNameSchema(modbusInput),
};

const boardsSchema = z.strictObject(modbusBoards);
export type ModbusBoards = z.output<typeof boardsSchema>;

const describeInput = ({ input, register, bit, table }: ModbusBoards['inputs'][string]): string => {
  if (input !== undefined) return `input ${input}`;
  return `${bit === undefined ? '' : `bit ${bit} of `}${table} register ${register}`;
};

/** What each line occupies on its board. */
export const listModbusChannels = (bus: ModbusBoards): readonly Channel[] => [
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

type Report = (at: ProfilePath, message: string) => void;

/** A timed pulse uses the coil number plus `pulse.base`, which must be a valid coil. */
const checkPulseCoilsExist = ({ pulse, outputs }: ModbusBoards, report: Report): void => {
  if (pulse === undefined) return;
  for (const [output, { coil }] of Object.entries(outputs))
    if (coil !== undefined && pulse.base + coil > MAX_COIL)
      report(['outputs', output, 'coil'], `must be at most ${MAX_COIL} after adding pulse.base ${pulse.base}`);
};

const checkOutputsOfUnitAreAlike = ({ outputs }: ModbusBoards, report: Report): void => {
  const kinds = new Map<number, boolean>();
  for (const [output, { unit: board, register }] of Object.entries(outputs)) {
    const isRegister = register !== undefined;
    if ((kinds.get(board) ?? isRegister) !== isRegister)
      report(['outputs', output], `all outputs of unit ${board} must be coils, or all registers`);
    kinds.set(board, isRegister);
  }
};

/** Limits of the standard for one request. */
const MOST_BITS = 2_000;
const MOST_REGISTERS = 125;

/** The numbers that are read in one request, by kind and unit, with the path of each. */
const readGroups = (
  bus: ModbusBoards,
): ReadonlyMap<string, readonly (readonly [number: number, at: ProfilePath])[]> => {
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
const checkReadsFitRequests = (boards: ModbusBoards, report: Report): void => {
  for (const [group, lines] of readGroups(boards)) {
    const most = group.startsWith('registers') ? MOST_REGISTERS : MOST_BITS;
    const first = Math.min(...lines.map(([line]) => line));
    for (const [line, at] of lines)
      if (line - first >= most) report(at, `must be less than ${first + most}: the board is read in one request`);
  }
};

export const checkModbusBoards = (boards: ModbusBoards, report: Report): void => {
  checkPulseCoilsExist(boards, report);
  checkOutputsOfUnitAreAlike(boards, report);
  checkReadsFitRequests(boards, report);
};
