import type { HardwareBus } from './bus-schemas.ts';

/** Path of a value in the profile. */
export type ProfilePath = readonly (string | number)[];

export interface ProfileBusPart {
  readonly name: string;
  readonly bus: string;
  readonly at: ProfilePath;
}

interface BusParts {
  readonly outputs: readonly ProfileBusPart[];
  readonly inputs: readonly ProfileBusPart[];
  readonly keypads: readonly ProfileBusPart[];
  readonly readers: readonly ProfileBusPart[];
}

type Names = { readonly [K in keyof BusParts]: readonly (readonly [name: string, at: ProfilePath])[] };

const none: Names = { outputs: [], inputs: [], keypads: [], readers: [] };

const keyPaths = (lines: object, ...at: ProfilePath) => Object.keys(lines).map(name => [name, [...at, name]] as const);

const listPaths = (names: readonly string[], at: string) => names.map((name, index) => [name, [at, index]] as const);

/** A keypad or reader that is the only part of its bus has the name of the bus. */
const partsOf = (bus: HardwareBus, name: string): Names => {
  const ownName = [[name, []]] as const;
  switch (bus.driver) {
    case 'gpio':
    case 'modbus':
    case 'modbus-tcp':
    case 'mcp23017':
      return { ...none, outputs: keyPaths(bus.outputs, 'outputs'), inputs: keyPaths(bus.inputs, 'inputs') };
    case 'usb-relay':
    case 'hid-relay':
    case 'shelly':
    case 'http-relay':
      return { ...none, outputs: keyPaths(bus.outputs, 'outputs') };
    case 'matrix-keypad':
    case 'usb-keypad':
    case 'serial-keypad':
      return { ...none, keypads: ownName };
    case 'pcsc':
      return { ...none, readers: keyPaths(bus.readers, 'readers') };
    case 'keyboard-wedge':
    case 'pn532':
    case 'pn532-i2c':
    case 'pn532-spi':
    case 'rc522':
    case 'rdm6300':
    case 'qr-serial':
    case 'qr-keyboard':
      return { ...none, readers: ownName };
    case 'wiegand':
      return { ...none, readers: ownName, keypads: bus.keys === 'none' ? [] : ownName };
    case 'osdp': {
      const readers = Object.entries(bus.readers);
      return {
        outputs: readers.flatMap(([reader, { outputs }]) => keyPaths(outputs, 'readers', reader, 'outputs')),
        inputs: readers.flatMap(([reader, { inputs }]) => keyPaths(inputs, 'readers', reader, 'inputs')),
        keypads: keyPaths(bus.readers, 'readers'),
        readers: keyPaths(bus.readers, 'readers'),
      };
    }
    case 'simulated':
      return {
        outputs: keyPaths(bus.outputs, 'outputs'),
        inputs: keyPaths(bus.inputs, 'inputs'),
        keypads: listPaths(bus.keypads, 'keypads'),
        readers: listPaths(bus.readers, 'readers'),
      };
  }
};

/** Collects the outputs, inputs, keypads and readers of all buses. */
export const collectBusParts = (buses: Readonly<Record<string, HardwareBus>>): BusParts => {
  const all = Object.entries(buses).map(([name, bus]) => ({ bus: name, names: partsOf(bus, name) }));
  const collect = (kind: keyof Names): ProfileBusPart[] =>
    all.flatMap(({ bus, names }) => names[kind].map(([name, at]) => ({ name, bus, at: ['buses', bus, ...at] })));
  return {
    outputs: collect('outputs'),
    inputs: collect('inputs'),
    keypads: collect('keypads'),
    readers: collect('readers'),
  };
};
