import { type BusParts, type Channel, defineDriver, linesAt } from '../definition/define-driver.ts';
import { dataRow, type WiringRow } from '../definition/wiring.ts';
import { checkSerialPort, serialPorts } from '../serial-line/doctor.ts';
import { rs485Rows, serialPlugRow, useSerialPort } from '../serial-line/serial-port.ts';
import { type OsdpSettings, osdpSettings } from './settings.ts';

const partsOf = ({ readers }: OsdpSettings): BusParts => {
  const all = Object.entries(readers);
  const own = all.map(([name, reader]) => linesAt(['readers', name], reader));
  const units = all.map(([name]) => [name, ['readers', name]] as const);
  return {
    outputs: own.flatMap(({ outputs = [] }) => outputs),
    inputs: own.flatMap(({ inputs = [] }) => inputs),
    keypads: units,
    readers: units,
  };
};

/** Outputs and inputs have numbers in the whole peripheral, not in one of its readers. */
const channelsOfReaders = ({ readers }: OsdpSettings): readonly Channel[] =>
  Object.entries(readers).flatMap(([reader, { address, outputs, inputs }]) => [
    ...Object.entries(outputs).flatMap(([name, line]): Channel[] =>
      'output' in line
        ? [[`output ${line.output} at address ${address}`, ['readers', reader, 'outputs', name, 'output']]]
        : [],
    ),
    ...Object.entries(inputs).flatMap(([name, line]): Channel[] =>
      'input' in line
        ? [[`input ${line.input} at address ${address}`, ['readers', reader, 'inputs', name, 'input']]]
        : [],
    ),
  ]);

/** Readers that share a peripheral have their number in it. */
const readerRows = ({ readers }: OsdpSettings): readonly WiringRow[] => {
  const all = Object.entries(readers);
  const isAlone = (address: number): boolean => all.filter(([, reader]) => reader.address === address).length === 1;
  return all.map(([name, { address, reader_number, wire }]) => {
    const number = isAlone(address) && reader_number === 0 ? '' : `, reader ${reader_number}`;
    return dataRow(`address ${address}${number}`, wire ?? name, name);
  });
};

/** Readers, keypads, inputs and outputs on RS-485. */
export const osdp = defineDriver({
  name: 'osdp',
  title: 'OSDP over RS-485',
  settings: osdpSettings,
  documentation: {
    products: 'OSDP v2 readers, keypads, inputs and outputs',
    price: '€€€',
    interface: 'RS-485',
    since: '0.1.0',
    verified: 'counterpart (libosdp), simulated (pseudo terminal), recorded',
    fields:
      '`port`, `baud_rate`, `readers` (`address`, `reader_number`, `security`, `crc`, `formats`, `reversed`, `outputs`: `led`, `text`, `buzzer`, `output`; `inputs`: `input`, `tamper`, `power_failed`)',
    offers: 'all',
  },
  probes: [serialPorts],
  parts: partsOf,
  exclusive: ({ port }) => useSerialPort(port),
  channels: channelsOfReaders,
  wiring: bus => ({
    rows: [serialPlugRow(bus.port, 'RS-485 adapter')],
    boards: [{ title: 'Readers', board: 'RS-485 adapter', rows: [...rs485Rows, ...readerRows(bus)] }],
  }),
  doctor: checkSerialPort,
  open: async (bus, context) => (await import('./open-osdp.ts')).openOsdp(bus, context),
});
