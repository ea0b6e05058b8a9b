import type { Bus } from './buses.ts';

/** Where in the profile something is written. */
export type PlaceInProfile = readonly (string | number)[];

export interface NamedPart {
  readonly name: string;
  readonly bus: string;
  readonly at: PlaceInProfile;
}

interface BusParts {
  readonly outputs: readonly NamedPart[];
  readonly inputs: readonly NamedPart[];
  readonly keypads: readonly NamedPart[];
  readonly readers: readonly NamedPart[];
}

type Names = { readonly [K in keyof BusParts]: readonly (readonly [name: string, at: PlaceInProfile])[] };

const none: Names = { outputs: [], inputs: [], keypads: [], readers: [] };

const keysAt = (lines: object, ...at: PlaceInProfile) => Object.keys(lines).map(name => [name, [...at, name]] as const);

const listAt = (names: readonly string[], at: string) => names.map((name, index) => [name, [at, index]] as const);

/** A bus with a single keypad or reader gives it its own name. */
const partsOf = (bus: Bus, name: string): Names => {
  const itself = [[name, []]] as const;
  switch (bus.driver) {
    case 'gpio':
    case 'modbus':
      return { ...none, outputs: keysAt(bus.outputs, 'outputs'), inputs: keysAt(bus.inputs, 'inputs') };
    case 'usb-relay':
      return { ...none, outputs: keysAt(bus.outputs, 'outputs') };
    case 'matrix-keypad':
    case 'usb-keypad':
    case 'serial-keypad':
      return { ...none, keypads: itself };
    case 'pcsc':
      return { ...none, readers: keysAt(bus.readers, 'readers') };
    case 'pn532':
    case 'rdm6300':
      return { ...none, readers: itself };
    case 'wiegand':
      return { ...none, readers: itself, keypads: bus.keys === 'none' ? [] : itself };
    case 'osdp': {
      const readers = Object.entries(bus.readers);
      return {
        outputs: readers.flatMap(([reader, { outputs }]) => keysAt(outputs, 'readers', reader, 'outputs')),
        inputs: readers.flatMap(([reader, { inputs }]) => keysAt(inputs, 'readers', reader, 'inputs')),
        keypads: keysAt(bus.readers, 'readers'),
        readers: keysAt(bus.readers, 'readers'),
      };
    }
    case 'simulated':
      return {
        outputs: keysAt(bus.outputs, 'outputs'),
        inputs: keysAt(bus.inputs, 'inputs'),
        keypads: listAt(bus.keypads, 'keypads'),
        readers: listAt(bus.readers, 'readers'),
      };
  }
};

/** Everything that hangs on the buses of a profile, by what it is. */
export const partsOfBuses = (buses: Readonly<Record<string, Bus>>): BusParts => {
  const all = Object.entries(buses).map(([bus, one]) => ({ bus, names: partsOf(one, bus) }));
  const gather = (kind: keyof Names): NamedPart[] =>
    all.flatMap(({ bus, names }) => names[kind].map(([name, at]) => ({ name, bus, at: ['buses', bus, ...at] })));
  return {
    outputs: gather('outputs'),
    inputs: gather('inputs'),
    keypads: gather('keypads'),
    readers: gather('readers'),
  };
};
