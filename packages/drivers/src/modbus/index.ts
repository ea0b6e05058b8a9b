import * as z from 'zod';
import { defineDriver, lines } from '../definition/define-driver.ts';
import { type BoardWiring, lineRows } from '../definition/wiring.ts';
import {
  allowNetworkRelayFieldSchema,
  createTcpPortSchema,
  describeUncheckedRelay,
  networkHostSchema,
  networkRow,
} from '../network/relay-host.ts';
import { checkSerialPort, serialPorts } from '../serial-line/doctor.ts';
import {
  createBaudRateSchema,
  paritySchema,
  rs485Rows,
  serialPlugRow,
  serialPortSchema,
  useSerialPort,
} from '../serial-line/serial-port.ts';
import { checkModbusBoards, listModbusChannels, type ModbusBoards, modbusBoards } from './settings.ts';

const describeInput = ({ input, register, bit }: ModbusBoards['inputs'][string]): string => {
  if (input !== undefined) return `input ${input + 1}`;
  return bit === undefined ? `register ${register}` : `register ${register}, bit ${bit}`;
};

const ofUnit = <T extends { readonly unit: number }>(all: Readonly<Record<string, T>>, unit: number) =>
  Object.fromEntries(Object.entries(all).filter(([, line]) => line.unit === unit));

/** Coils and inputs are numbered from 1, as printed on the boards; registers as in the data sheet. */
const boardWiring = ({ outputs, inputs }: ModbusBoards): readonly BoardWiring[] => {
  const units = new Set([...Object.values(outputs), ...Object.values(inputs)].map(({ unit }) => unit));
  return [...units].map(unit => ({
    title: 'Switched and read',
    board: `Board, unit ${unit}`,
    rows: [
      ...lineRows('output', ofUnit(outputs, unit), ({ coil, register }) =>
        coil === undefined ? `relay at register ${register}` : `relay ${coil + 1}`,
      ),
      ...lineRows('input', ofUnit(inputs, unit), describeInput),
    ],
  }));
};

/** Relay and input boards on RS-485. */
export const modbus = defineDriver({
  name: 'modbus',
  title: 'Modbus RTU over RS-485',
  settings: z.strictObject({
    port: serialPortSchema,
    baud_rate: createBaudRateSchema(9600),
    parity: paritySchema,
    ...modbusBoards,
  }),
  documentation: {
    products: 'Modbus RTU relay and input boards, with coils or registers',
    price: '€€',
    interface: 'RS-485',
    since: '0.1.0',
    verified: 'counterpart (pymodbus), simulated (pseudo terminal)',
    fields:
      '`port`, `baud_rate`, `parity`, `pulse` (`base`, `unit_ms`), `outputs` (`unit`, `coil` or `register`), `inputs` (`unit`, `input` or `register`, `active`, `debounce_ms`), `register_values`; see [Modbus boards](#modbus-boards)',
    offers: 'outputs, inputs',
  },
  probes: [serialPorts],
  parts: lines,
  exclusive: ({ port }) => useSerialPort(port),
  channels: listModbusChannels,
  check: checkModbusBoards,
  wiring: bus => ({
    rows: [serialPlugRow(bus.port, 'RS-485 adapter')],
    boards: [{ title: 'Bus', board: 'RS-485 adapter', rows: rs485Rows }, ...boardWiring(bus)],
  }),
  doctor: checkSerialPort,
  open: async (bus, context) => (await import('./open-modbus.ts')).openModbus(bus, context),
});

/** Modbus has no authentication: everyone in the network can switch the relays. */
export const modbusTcp = defineDriver({
  name: 'modbus-tcp',
  title: 'Modbus TCP',
  settings: z.strictObject({
    host: networkHostSchema,
    tcp_port: createTcpPortSchema(502),
    allow_network_relay: allowNetworkRelayFieldSchema,
    ...modbusBoards,
  }),
  documentation: {
    products: 'Modbus TCP relay and input boards',
    price: '€€',
    interface: 'network',
    since: '0.1.0',
    verified: 'counterpart (pymodbus, server of modbus-serial)',
    fields: '`host`, `tcp_port` (502), `allow_network_relay`, and as for `modbus`',
    offers: 'outputs, inputs',
  },
  parts: lines,
  channels: listModbusChannels,
  check: checkModbusBoards,
  wiring: bus => ({ rows: [networkRow(bus.host, 'relay board')], boards: boardWiring(bus) }),
  doctor: ({ host }, { name }) => describeUncheckedRelay(name, `${host} in the network`),
  open: async (bus, context) => (await import('./open-modbus.ts')).openModbusTcp(bus, context),
});
