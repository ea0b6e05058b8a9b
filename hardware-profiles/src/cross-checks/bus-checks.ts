import { type ProfileBusPart, collectBusParts, type ProfilePath } from '../collect-bus-parts.ts';
import type { BusWithDriver, HardwareBus } from '../bus-schemas.ts';
import { listModbusChannels } from './modbus-checks.ts';
import type { ProfileCrossCheck, ReportProfileProblem } from './cross-check-type-and-part-names.ts';

const reportDuplicates = (parts: readonly ProfileBusPart[], what: string, report: ReportProfileProblem): void => {
  const seen = new Set<string>();
  for (const { name, at } of parts) {
    if (seen.has(name)) report(at, `${name} is already the name of another ${what}`);
    seen.add(name);
  }
};

export const checkPartNamesAreUnique: ProfileCrossCheck = ({ buses }, report) => {
  const { outputs, inputs, keypads, readers } = collectBusParts(buses);
  reportDuplicates(outputs, 'output', report);
  reportDuplicates(inputs, 'input', report);
  reportDuplicates(keypads, 'keypad', report);
  reportDuplicates(readers, 'reader', report);
};

interface UsedLine {
  readonly line: number;
  readonly at: ProfilePath;
}

const linesOf = (bus: HardwareBus): readonly UsedLine[] => {
  if (bus.driver === 'gpio')
    return [
      ...Object.entries(bus.outputs).map(([name, { line }]) => ({ line, at: ['outputs', name, 'line'] })),
      ...Object.entries(bus.inputs).map(([name, { line }]) => ({ line, at: ['inputs', name, 'line'] })),
    ];
  if (bus.driver === 'wiegand')
    return [
      { line: bus.d0, at: ['d0'] },
      { line: bus.d1, at: ['d1'] },
    ];
  if (bus.driver !== 'matrix-keypad') return [];
  return (['rows', 'columns'] as const).flatMap(side => bus[side].map((line, index) => ({ line, at: [side, index] })));
};

/** The kernel assigns a line only once. Buses with a common chip label may use the same chip. */
export const checkGpioLinesAreUsedOnce: ProfileCrossCheck = ({ buses }, report) => {
  const users = new Map<string, string>();
  for (const [name, bus] of Object.entries(buses)) {
    if (!('chip' in bus)) continue;
    for (const { line, at } of linesOf(bus)) {
      const path = ['buses', name, ...at];
      const user = bus.chip.map(label => users.get(`${label} ${line}`)).find(other => other !== undefined);
      if (user !== undefined) report(path, `line ${line} is already used by ${user}`);
      for (const label of bus.chip) users.set(`${label} ${line}`, path.join('.'));
    }
  }
};

/** Outputs and inputs have numbers in the whole peripheral, not in one of its readers. */
const listOsdpChannels = ({ readers }: BusWithDriver<'osdp'>): readonly (readonly [string, ProfilePath])[] =>
  Object.entries(readers).flatMap(([reader, { address, outputs, inputs }]) => [
    ...Object.entries(outputs).flatMap(([name, line]) =>
      'output' in line
        ? [[`output ${line.output} at address ${address}`, ['readers', reader, 'outputs', name, 'output']] as const]
        : [],
    ),
    ...Object.entries(inputs).flatMap(([name, line]) =>
      'input' in line
        ? [[`input ${line.input} at address ${address}`, ['readers', reader, 'inputs', name, 'input']] as const]
        : [],
    ),
  ]);

const channelsOf = (bus: HardwareBus): readonly (readonly [channel: string, at: ProfilePath])[] => {
  if (bus.driver === 'usb-relay')
    return Object.entries(bus.outputs).map(([name, { channel }]) => [
      `channel ${channel}`,
      ['outputs', name, 'channel'],
    ]);
  if (bus.driver === 'hid-relay')
    return Object.entries(bus.outputs).map(([name, { relay }]) => [`relay ${relay}`, ['outputs', name, 'relay']]);
  if (bus.driver === 'mcp23017')
    return (['outputs', 'inputs'] as const).flatMap(side =>
      Object.entries(bus[side]).map(([name, { line }]) => [`line ${line}`, [side, name, 'line']] as const),
    );
  if (bus.driver === 'shelly')
    return Object.entries(bus.outputs).map(([name, output]) => [
      `switch ${output.switch}`,
      ['outputs', name, 'switch'],
    ]);
  if (bus.driver === 'osdp') return listOsdpChannels(bus);
  return bus.driver === 'modbus' || bus.driver === 'modbus-tcp' ? listModbusChannels(bus) : [];
};

export const checkChannelsAreUsedOnce: ProfileCrossCheck = ({ buses }, report) => {
  for (const [name, bus] of Object.entries(buses)) {
    const seen = new Set<string>();
    for (const [channel, at] of channelsOf(bus)) {
      if (seen.has(channel)) report(['buses', name, ...at], `${channel} is already used`);
      seen.add(channel);
    }
  }
};

/** A machine has only one PC/SC service and one socket for simulated parts. */
export const checkPcscAndSimulatedBusesAreSingle: ProfileCrossCheck = ({ buses }, report) => {
  for (const kind of ['simulated', 'pcsc'] as const) {
    const same = Object.entries(buses).filter(([, { driver }]) => driver === kind);
    for (const [name] of same.slice(1)) report(['buses', name, 'driver'], `${kind} is already used by another bus`);
  }
};
