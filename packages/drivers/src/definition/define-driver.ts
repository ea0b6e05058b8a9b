import * as z from 'zod';
import type { DoctorCheck, DoctorFinding, Probe } from '../host/finding.ts';
import type { BusContext, OpenedBus } from './context.ts';
import type { BusWiring } from './wiring.ts';

/** Path of a value in the profile, or in the settings of a bus. */
export type ProfilePath = readonly (string | number)[];

/** A name and where it stands in the settings. */
type NamedPart = readonly [name: string, at: ProfilePath];

export interface BusParts {
  readonly outputs?: readonly NamedPart[];
  readonly inputs?: readonly NamedPart[];
  readonly keypads?: readonly NamedPart[];
  readonly readers?: readonly NamedPart[];
}

/** Something of which a profile may use each only once, such as a serial port. */
export interface ExclusiveResource<T = unknown> {
  /** Whether the two may be the same. */
  overlaps(a: T, b: T): boolean;
  /** `user`: the other user in words. `at`: its path in the profile. */
  describe(used: T, user: string, at: string): string;
}

export interface ExclusiveUse<T = unknown> {
  readonly resource: ExclusiveResource<T>;
  readonly used: T;
  /** Where the profile says so, in the settings of the bus. */
  readonly at: ProfilePath;
}

/** What a line occupies on its bus, in words, such as `relay 3`. Each only once. */
export type Channel = readonly [channel: string, at: ProfilePath];

/** The rows of the driver in docs/hardware.md. */
interface DriverDocumentation {
  /** The products that it supports. */
  readonly products: string;
  readonly price: string;
  readonly interface: string;
  readonly since: string;
  readonly verified: string;
  /** The fields of its settings. */
  readonly fields: string;
  readonly offers: string;
}

interface DriverParts<S> {
  /** The title of its wires in the wiring drawing. */
  readonly title: string;
  readonly documentation: DriverDocumentation;
  /** Absent if the readers read cards. */
  readonly reads?: 'magic_links';
  /** What the driver needs to know about the machine for its checks. */
  readonly probes?: readonly Probe[];
  parts(settings: S, bus: string): BusParts;
  exclusive?(settings: S): readonly ExclusiveUse[];
  channels?(settings: S): readonly Channel[];
  /** Checks that the schema cannot express but that concern this bus only. */
  check?(settings: S, report: (at: ProfilePath, message: string) => void): void;
  wiring(settings: S, bus: string): BusWiring;
  /** Whether the hardware is connected and usable, without talking to it. */
  doctor(settings: S, check: DoctorCheck): readonly DoctorFinding[];
  /** Loads what it needs on its own, because a native module that fails to load is a fault of this bus only. */
  open(settings: S, context: BusContext): Promise<OpenedBus>;
}

/** A driver as its readers see it: profiles, `lintel doctor`, the technician page and the documentation. */
export interface Driver<S = object, Name extends string = string, Schema extends z.ZodType = z.ZodType>
  extends DriverParts<S> {
  readonly name: Name;
  readonly schema: Schema;
}

type SettingsWithDriver<Shape extends z.core.$ZodShape, Name extends string> = z.ZodObject<
  Shape & { driver: z.ZodLiteral<Name> },
  z.core.$strict
>;

const withDriver = (settings: z.ZodObject<z.core.$ZodShape, z.core.$strict>, name: string) =>
  settings.safeExtend({ driver: z.literal(name) });

/** Everything about a driver. Its folder has nothing outside but its line in `drivers.ts`. */
export const defineDriver = <const Name extends string, Shape extends z.core.$ZodShape>({
  name,
  settings,
  ...parts
}: { readonly name: Name; readonly settings: z.ZodObject<Shape, z.core.$strict> } & DriverParts<
  z.output<z.ZodObject<Shape, z.core.$strict>>
>): Driver<z.output<z.ZodObject<Shape, z.core.$strict>>, Name, SettingsWithDriver<Shape, Name>> => ({
  ...parts,
  name,
  schema: withDriver(settings, name) as unknown as SettingsWithDriver<Shape, Name>,
});

const lineParts = (lines: object, ...at: ProfilePath): readonly NamedPart[] =>
  Object.keys(lines).map(name => [name, [...at, name]]);

interface Lines {
  readonly outputs?: object;
  readonly inputs?: object;
}

/** Outputs and inputs by name, at a path in the settings of the bus. */
export const linesAt = (at: ProfilePath, { outputs = {}, inputs = {} }: Lines): BusParts => ({
  outputs: lineParts(outputs, ...at, 'outputs'),
  inputs: lineParts(inputs, ...at, 'inputs'),
});

export const lines = (settings: Lines): BusParts => linesAt([], settings);

/** A keypad or reader that is the only part of its bus has the name of the bus. */
export const onlyKeypad = (_: object, bus: string): BusParts => ({ keypads: [[bus, []]] });
export const onlyReader = (_: object, bus: string): BusParts => ({ readers: [[bus, []]] });

/** The channel of each line, from a field of its settings. */
export const channelsOf = <T extends object>(
  side: 'outputs' | 'inputs',
  lines: Readonly<Record<string, T>>,
  field: keyof T & string,
  word: string = field,
): readonly Channel[] =>
  Object.entries(lines).map(([name, line]) => [`${word} ${String(line[field])}`, [side, name, field]]);

/** A service or socket that a machine has only once. */
export const singleBus = (name: string): ExclusiveUse => ({
  resource: singleBusResource,
  used: name,
  at: ['driver'],
});

const singleBusResource: ExclusiveResource = {
  overlaps: (a, b) => a === b,
  describe: used => `${String(used)} is already used by another bus`,
};
