import { createCliCommand, UsageError } from '@lintel/service/command-line/cli-command';
import { parseCommandArguments, requireOption } from '@lintel/service/command-line/command-arguments';
import { ProcessClock } from '@lintel/service/timing/process-monotonic-clock';
import { ReconnectingSerialLine } from '../serial-line/reconnecting-serial-line.ts';
import { configureOsdpReader } from './configure-reader.ts';

const usage = `lintel osdp-reader --port PATH --address N [--baud N] --new-address N [--new-baud N] [--checksum]

Sets the address and the baud rate of an OSDP reader over its line (COMSET). Connect only this
reader, and stop the controller: two programs cannot use one line. The reader must not be paired.

  --port PATH        the RS-485 adapter, such as /dev/serial/by-id/usb-…
  --address N        the present address, 0 to 126
  --baud N           the present baud rate, default 9600
  --new-address N    the address to set, 0 to 126
  --new-baud N       the baud rate to set, default the present one
  --checksum         for old readers without CRC

  npx lintel osdp-reader --port /dev/serial/by-id/usb-FTDI --address 0 --new-address 3
`;

const options = {
  port: { type: 'string' },
  address: { type: 'string' },
  baud: { type: 'string', default: '9600' },
  'new-address': { type: 'string' },
  'new-baud': { type: 'string' },
  checksum: { type: 'boolean', default: false },
} as const;

const MAX_ADDRESS = 126;
const BAUD_RATES = ['9600', '19200', '38400', '57600', '115200'];

const parseAddress = (value: string | undefined, name: string): number => {
  const address = Number(requireOption(value, name));
  if (!/^\d+$/.test(value ?? '') || address > MAX_ADDRESS)
    throw new UsageError(`--${name} must be a number from 0 to ${MAX_ADDRESS}`);
  return address;
};

const parseBaudRate = (value: string, name: string): number => {
  if (!BAUD_RATES.includes(value)) throw new UsageError(`--${name} must be one of ${BAUD_RATES.join(', ')}`);
  return Number(value);
};

export const command = createCliCommand(usage, async (args, { stdout }) => {
  const { values } = parseCommandArguments({ args, options });
  const path = requireOption(values.port, 'port');
  const address = parseAddress(values.address, 'address');
  const baud_rate = parseBaudRate(values.baud, 'baud');
  const settings = {
    address: parseAddress(values['new-address'], 'new-address'),
    baud_rate: parseBaudRate(values['new-baud'] ?? values.baud, 'new-baud'),
  };
  const line = new ReconnectingSerialLine({ path, baud_rate });
  try {
    const reader = { line, clock: new ProcessClock(), address, crc: !values.checksum };
    const confirmed = await configureOsdpReader(reader, settings);
    stdout.write(`The reader now has the address ${confirmed.address} and ${confirmed.baud_rate} baud.\n`);
    return confirmed.address === settings.address && confirmed.baud_rate === settings.baud_rate ? 0 : 1;
  } finally {
    await line.close();
  }
});
