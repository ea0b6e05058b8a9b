import { mkdirSync } from 'node:fs';
import { resolveWiegandFormat } from '../wiegand/formats.ts';
import { OsdpBus } from './osdp-bus.ts';
import { OsdpCardReader } from './osdp-card-reader.ts';
import { type OsdpInputLineConfig, OsdpInputs } from './osdp-inputs.ts';
import { OsdpKeypad } from './osdp-keypad.ts';
import { type OsdpOutputLineConfig, OsdpOutputs } from './osdp-outputs.ts';
import { OsdpReaderKeyFileStore } from './reader-key-file-store.ts';
import { ReconnectingSerialLine } from '../serial-line/reconnecting-serial-line.ts';
import { CombinedInputs, CombinedOutputs } from '../base/combined-lines.ts';
import type { OpenedBus, BusContext } from '../definition/context.ts';
import { requireSerialPath } from '../serial-line/serial-port.ts';
import type { OsdpReaderEntry as Reader, OsdpSettings } from './settings.ts';

const outputLine = (output: Reader['outputs'][string]): OsdpOutputLineConfig => {
  if ('led' in output) return { kind: 'led', color: output.led, led: output.number };
  if ('text' in output) return { kind: 'text', text: output.text };
  return 'buzzer' in output ? { kind: 'buzzer' } : { kind: 'output', number: output.output };
};

const inputLine = (input: Reader['inputs'][string]): OsdpInputLineConfig => {
  if ('tamper' in input) return { kind: 'tamper' };
  if ('power_failed' in input) return { kind: 'power_failed' };
  return { kind: 'input', number: input.input, active_when: input.active === 'on' ? 'set' : 'clear' };
};

const mapped = <A, B>(lines: Readonly<Record<string, A>>, change: (line: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(lines).map(([name, line]) => [name, change(line)]));

/** Which reader has which line. */
const ownersOf = (readers: readonly (readonly [string, Reader])[], kind: 'outputs' | 'inputs') =>
  new Map(readers.flatMap(([reader, lines]) => Object.keys(lines[kind]).map(line => [line, reader] as const)));

/** Readers at one address share the session of their peripheral. The profile check requires equal settings for them. */
const peripheralsOf = (readers: readonly Reader[]) => [
  ...new Map(readers.map(({ address, security, crc }) => [address, { address, security, crc }])).values(),
];

export const openOsdp = async (bus: OsdpSettings, context: BusContext): Promise<OpenedBus> => {
  const { clock, log, dataDir, name } = context;
  const { baud_rate } = bus;
  const path = requireSerialPath(bus.port);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const readers = Object.entries(bus.readers);
  const peripherals = peripheralsOf(Object.values(bus.readers));
  const panel = new OsdpBus({
    line: new ReconnectingSerialLine({ path, baud_rate }),
    clock,
    log,
    baud_rate,
    keys: new OsdpReaderKeyFileStore(dataDir, name),
    peripherals,
  });
  const made = <T>(make: (reader: Reader) => T) => new Map(readers.map(([reader, one]) => [reader, make(one)]));
  const at = ({ address }: Reader) => panel.peripheral(address);
  const withSome = (kind: 'outputs' | 'inputs') => readers.filter(([, one]) => Object.keys(one[kind]).length > 0);
  const outputs = new Map(
    withSome('outputs').map(([reader, one]) => [
      reader,
      new OsdpOutputs(at(one), one.reader_number, mapped(one.outputs, outputLine)),
    ]),
  );
  const inputs = new Map(
    withSome('inputs').map(([reader, one]) => [reader, new OsdpInputs(at(one), mapped(one.inputs, inputLine))]),
  );
  return {
    outputs: new CombinedOutputs(outputs, ownersOf(readers, 'outputs'), null),
    inputs: new CombinedInputs(inputs, ownersOf(readers, 'inputs'), null),
    keypads: made(reader => new OsdpKeypad(at(reader), reader.reader_number)),
    readers: made(reader => {
      const { reader_number, reversed } = reader;
      const formats = reader.formats.map(resolveWiegandFormat);
      return new OsdpCardReader(at(reader), { clock, log, reader_number, formats, reversed });
    }),
    replaceable: peripherals
      .filter(({ security }) => security !== 'plain')
      .map(({ address }) => {
        const replacement = panel.replacement(address);
        return {
          readers: readers.filter(([, one]) => one.address === address).map(([reader]) => reader),
          bus: name,
          address,
          fault: () => panel.peripheral(address).fault(),
          replacement: () => replacement.current(),
          startReplacement: options => replacement.start(options),
          cancelReplacement: () => replacement.cancel(),
        };
      }),
    close: () => panel.close(),
  };
};
