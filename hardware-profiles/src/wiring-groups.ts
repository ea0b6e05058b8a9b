import type { HardwareBus, BusWithDriver } from './bus-schemas.ts';
import type { ProfileGadget } from './gadget-schemas.ts';
import { listOutputsInSteps } from './gadget-schemas.ts';
import type { Profile } from './check-profile.ts';
import { createI2cWiringRows, RC522_RESET_WIRING_ROW, createSpiWiringRows } from './i2c-and-spi-wiring-rows.ts';
import { describeGpioLine } from './describe-gpio-line.ts';
import type { SerialPortChoice } from './serial-port-field-schemas.ts';
import type { WiringRow } from './wiring-row.ts';

export interface WiringGroup {
  readonly title: string;
  /** The board at which the wires begin. Null for the controller. */
  readonly board: string | null;
  readonly rows: readonly WiringRow[];
}

const outputsOf = (gadget: ProfileGadget): readonly string[] => {
  if (gadget.kind === 'door') return [gadget.strike];
  return gadget.kind === 'blind' ? [gadget.up, gadget.down] : [...listOutputsInSteps(gadget.actions)];
};

/** The purpose of each output and input. */
const purposesOf = ({ gadgets, tamper, setup_button }: Profile): ReadonlyMap<string, string> => {
  const purposes = new Map<string, string>();
  for (const gadget of gadgets) {
    for (const output of outputsOf(gadget)) purposes.set(output, gadget.name);
    if (gadget.kind !== 'door') continue;
    if (gadget.contact !== undefined) purposes.set(gadget.contact.input, `${gadget.name}, contact`);
    if (gadget.exit_button !== undefined) purposes.set(gadget.exit_button, `${gadget.name}, exit`);
  }
  if (tamper !== undefined) purposes.set(tamper, 'tamper');
  if (setup_button !== undefined) purposes.set(setup_button, 'setup code');
  return purposes;
};

const GROUND: WiringRow = {
  kind: 'supply',
  from: 'ground (pin 6)',
  to: 'ground of every board, contact and button',
  name: '',
};
/** Inputs pulled up to 5 V would damage the GPIO pins: the relay inputs use 3.3 V, the coils 5 V. */
const RELAY_SUPPLIES: readonly WiringRow[] = [
  { kind: 'supply', from: '3.3 V (pin 1)', to: 'relay board VCC (inputs); no jumper to JD-VCC', name: '' },
  { kind: 'supply', from: '5 V (pin 2)', to: 'relay board JD-VCC (coils), never its VCC', name: '' },
];

const usbName = (port: SerialPortChoice): string => ('usb' in port ? `USB ${port.usb}` : port.path);

/** The UART on the header of a Raspberry Pi has separate wires. Any other port is a plug. */
const serialRows = (port: SerialPortChoice, part: string): readonly WiringRow[] => {
  if (!('path' in port) || !/^\/dev\/(?:ttyAMA0|serial0)$/.test(port.path))
    return [{ kind: 'plug', from: usbName(port), to: part, name: '' }];
  return [
    { kind: 'data', from: 'TXD, GPIO 14 (pin 8)', to: `${part} RX`, name: '' },
    { kind: 'data', from: 'RXD, GPIO 15 (pin 10)', to: `${part} TX`, name: '' },
    { kind: 'supply', from: '3.3 V (pin 17)', to: `${part} VCC`, name: '' },
    { kind: 'supply', from: 'ground (pin 9)', to: `${part} ground`, name: '' },
  ];
};

const networkRow = (host: string, part: string): WiringRow => ({
  kind: 'data',
  from: 'network',
  to: `${part} at ${host}`,
  name: '',
});

const gpioRows = ({ chip, outputs, inputs }: BusWithDriver<'gpio'>): readonly WiringRow[] => [
  ...Object.entries(outputs).map(
    ([name, { line, wire }]): WiringRow => ({
      kind: 'output',
      from: describeGpioLine(chip, line),
      to: wire ?? name,
      name,
    }),
  ),
  ...Object.entries(inputs).map(
    ([name, { line, wire }]): WiringRow => ({
      kind: 'input',
      from: describeGpioLine(chip, line),
      to: wire ?? name,
      name,
    }),
  ),
  GROUND,
  ...(Object.keys(outputs).length > 0 ? RELAY_SUPPLIES : []),
];

const matrixRows = ({ chip, rows, columns, keys }: BusWithDriver<'matrix-keypad'>): readonly WiringRow[] => [
  ...rows.map((line, index): WiringRow => {
    const to = `row ${index + 1}, keys ${keys[index]!.split('').join(' ')}`;
    return { kind: 'output', from: describeGpioLine(chip, line), to, name: '' };
  }),
  ...columns.map((line, index): WiringRow => {
    const to = `column ${index + 1}, keys ${keys.map(row => row[index]).join(' ')}`;
    return { kind: 'input', from: describeGpioLine(chip, line), to, name: '' };
  }),
];

const adapterRows = (port: SerialPortChoice): readonly WiringRow[] => [
  { kind: 'plug', from: usbName(port), to: 'RS-485 adapter', name: '' },
];

const pairRows: readonly WiringRow[] = [
  {
    kind: 'data',
    from: 'A and B, twisted pair',
    to: 'A and B of every device; 120 Ω termination at both ends, bias at one end',
    name: '',
  },
  { kind: 'supply', from: 'ground', to: 'ground of every device on the bus', name: '' },
];

/** Readers that share a peripheral have their number in it. */
const osdpRows = ({ readers }: BusWithDriver<'osdp'>): readonly WiringRow[] => {
  const all = Object.entries(readers);
  const isAlone = (address: number): boolean => all.filter(([, reader]) => reader.address === address).length === 1;
  return [
    ...pairRows,
    ...all.map(([name, { address, reader_number, wire }]): WiringRow => {
      const number = isAlone(address) && reader_number === 0 ? '' : `, reader ${reader_number}`;
      return { kind: 'data', from: `address ${address}${number}`, to: wire ?? name, name };
    }),
  ];
};

type ModbusBus = BusWithDriver<'modbus' | 'modbus-tcp'>;

const describeModbusInput = ({ input, register, bit }: ModbusBus['inputs'][string]): string => {
  if (input !== undefined) return `input ${input + 1}`;
  return bit === undefined ? `register ${register}` : `register ${register}, bit ${bit}`;
};

/** Coils and inputs are numbered from 1, as printed on the boards; registers as in the data sheet. */
const modbusRows = ({ outputs, inputs }: ModbusBus, unit: number): readonly WiringRow[] => [
  ...Object.entries(outputs)
    .filter(([, line]) => line.unit === unit)
    .map(([name, { coil, register, wire }]): WiringRow => {
      const from = coil === undefined ? `relay at register ${register}` : `relay ${coil + 1}`;
      return { kind: 'output', from, to: wire ?? name, name };
    }),
  ...Object.entries(inputs)
    .filter(([, line]) => line.unit === unit)
    .map(
      ([name, input]): WiringRow => ({
        kind: 'input',
        from: describeModbusInput(input),
        to: input.wire ?? name,
        name,
      }),
    ),
];

const boardGroups = (bus: ModbusBus): readonly WiringGroup[] =>
  unitsOf(bus).map(unit => ({
    title: 'Switched and read',
    board: `Board, unit ${unit}`,
    rows: modbusRows(bus, unit),
  }));

const unitsOf = ({ outputs, inputs }: ModbusBus): readonly number[] => [
  ...new Set([...Object.values(outputs), ...Object.values(inputs)].map(({ unit }) => unit)),
];

const outputRows = <T extends { readonly wire?: string | undefined }>(
  outputs: Readonly<Record<string, T>>,
  describe: (output: T) => string,
): readonly WiringRow[] =>
  Object.entries(outputs).map(([name, output]) => ({
    kind: 'output',
    from: describe(output),
    to: output.wire ?? name,
    name,
  }));

const expanderPin = (line: number): string => `GP${line < 8 ? 'A' : 'B'}${line % 8}`;

const expanderRows = ({ outputs, inputs }: BusWithDriver<'mcp23017'>): readonly WiringRow[] => [
  ...outputRows(outputs, ({ line }) => expanderPin(line)),
  ...outputRows(inputs, ({ line }) => expanderPin(line)).map(row => ({ ...row, kind: 'input' as const })),
];

const wiegandRows = ({ chip, d0, d1 }: BusWithDriver<'wiegand'>): readonly WiringRow[] => [
  { kind: 'input', from: describeGpioLine(chip, d0), to: 'D0 through a level shifter', name: '' },
  { kind: 'input', from: describeGpioLine(chip, d1), to: 'D1 through a level shifter', name: '' },
];

const titles: Readonly<Record<HardwareBus['driver'], string>> = {
  gpio: 'GPIO',
  wiegand: 'Wiegand reader',
  'matrix-keypad': 'Matrix keypad',
  'usb-keypad': 'USB keypad',
  'keyboard-wedge': 'USB card reader',
  'serial-keypad': 'Serial keypad',
  pcsc: 'PC/SC reader',
  pn532: 'PN532',
  rdm6300: '125 kHz reader',
  'qr-serial': 'QR reader',
  'qr-keyboard': 'QR reader',
  osdp: 'OSDP over RS-485',
  modbus: 'Modbus RTU over RS-485',
  'modbus-tcp': 'Modbus TCP',
  'usb-relay': 'USB relays',
  'hid-relay': 'USB relays',
  mcp23017: 'Relay board on I2C',
  'pn532-i2c': 'PN532',
  'pn532-spi': 'PN532',
  rc522: 'RC522',
  shelly: 'Shelly relay',
  'http-relay': 'HTTP relay',
  simulated: 'Simulated parts',
};

const simulatedRows = ({ keypads, readers, outputs, inputs }: BusWithDriver<'simulated'>): readonly WiringRow[] =>
  Object.entries({ keypads, readers, outputs: Object.keys(outputs), inputs: Object.keys(inputs) })
    .filter(([, names]) => names.length > 0)
    .map(([kind, names]) => ({ kind: 'plug', from: 'parts.sock', to: kind, name: names.join(', ') }));

const groupsOf = (bus: HardwareBus, name: string): readonly WiringGroup[] => {
  const title = titles[bus.driver];
  const atController = (rows: readonly WiringRow[]): WiringGroup => ({ title, board: null, rows });
  switch (bus.driver) {
    case 'gpio':
      return [atController(gpioRows(bus))];
    case 'matrix-keypad':
      return [atController(matrixRows(bus))];
    case 'wiegand':
      return [atController(wiegandRows(bus))];
    case 'osdp':
      return [atController(adapterRows(bus.port)), { title: 'Readers', board: 'RS-485 adapter', rows: osdpRows(bus) }];
    case 'modbus':
      return [
        atController(adapterRows(bus.port)),
        { title: 'Bus', board: 'RS-485 adapter', rows: pairRows },
        ...boardGroups(bus),
      ];
    case 'modbus-tcp':
      return [atController([networkRow(bus.host, 'relay board')]), ...boardGroups(bus)];
    case 'usb-relay':
      return [
        atController([{ kind: 'plug', from: usbName(bus.port), to: 'relay board', name: '' }]),
        { title: 'Switched', board: 'Relay board', rows: outputRows(bus.outputs, ({ channel }) => `relay ${channel}`) },
      ];
    case 'shelly':
      return [
        atController([networkRow(bus.host, 'relay')]),
        {
          title: 'Switched',
          board: 'Shelly relay',
          rows: outputRows(bus.outputs, output => `switch ${output.switch}`),
        },
      ];
    case 'http-relay':
      return [
        atController([networkRow(new URL(bus.url).hostname, 'relay')]),
        { title: 'Switched', board: 'Relay', rows: outputRows(bus.outputs, ({ on }) => on.path.slice(0, 30)) },
      ];
    case 'hid-relay':
      return [
        atController([{ kind: 'plug', from: 'USB 16c0:05df', to: 'relay board', name: '' }]),
        { title: 'Switched', board: 'Relay board', rows: outputRows(bus.outputs, ({ relay }) => `relay ${relay}`) },
      ];
    case 'mcp23017':
      return [
        atController(createI2cWiringRows(`relay board, address 0x${bus.address.toString(16)}`)),
        { title: 'Switched and read', board: 'Relay board', rows: expanderRows(bus) },
      ];
    case 'pn532-i2c':
      return [atController(createI2cWiringRows('PN532 (switches: I2C)'))];
    case 'pn532-spi':
      return [atController(createSpiWiringRows(bus.device, 'PN532 (switches: SPI)'))];
    case 'rc522':
      return [atController([...createSpiWiringRows(bus.device, 'RC522'), RC522_RESET_WIRING_ROW])];
    case 'usb-keypad':
      return [atController([{ kind: 'plug', from: 'USB', to: bus.wire ?? 'keypad', name }])];
    case 'keyboard-wedge':
      return [atController([{ kind: 'plug', from: 'USB', to: bus.wire ?? 'card reader', name }])];
    case 'pcsc':
      return [
        atController(
          Object.entries(bus.readers).map(([reader, { wire, usb_path }]) => ({
            kind: 'plug',
            from: usb_path === undefined ? 'USB' : `USB port ${usb_path}`,
            to: wire ?? reader,
            name: reader,
          })),
        ),
      ];
    case 'serial-keypad':
      return [atController(serialRows(bus.port, 'keypad'))];
    case 'pn532':
      return [atController(serialRows(bus.port, 'PN532'))];
    case 'rdm6300':
      return [atController(serialRows(bus.port, 'reader'))];
    case 'qr-serial':
      return [atController(serialRows(bus.port, 'QR reader'))];
    case 'qr-keyboard':
      return [atController([{ kind: 'plug', from: 'USB', to: bus.wire ?? 'QR reader', name }])];
    case 'simulated':
      return [atController(simulatedRows(bus))];
  }
};

/** All wires of a profile with their purpose: first from the controller, then from its boards. */
export const buildWiringGroups = (profile: Profile): readonly WiringGroup[] => {
  const purposes = purposesOf(profile);
  const withPurpose = (row: WiringRow): WiringRow => {
    const purpose = purposes.get(row.name);
    return purpose === undefined ? row : { ...row, name: `${row.name}: ${purpose}` };
  };
  const groups = Object.entries(profile.buses)
    .flatMap(([name, bus]) => groupsOf(bus, name))
    .map(group => ({ ...group, rows: group.rows.map(withPurpose) }));
  return [...groups.filter(({ board }) => board === null), ...groups.filter(({ board }) => board !== null)];
};
