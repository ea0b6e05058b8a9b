import { type NamedPart, partsOfBuses, type PlaceInProfile } from '../bus-parts.ts';
import type { Bus } from '../buses.ts';
import type { Check, Refuse } from './check.ts';

const refuseTwice = (parts: readonly NamedPart[], what: string, refuse: Refuse): void => {
  const seen = new Set<string>();
  for (const { name, at } of parts) {
    if (seen.has(name)) refuse(at, `${name} is the name of another ${what}`);
    seen.add(name);
  }
};

export const partsHaveOneName: Check = ({ buses }, refuse) => {
  const { outputs, inputs, keypads, readers } = partsOfBuses(buses);
  refuseTwice(outputs, 'output', refuse);
  refuseTwice(inputs, 'input', refuse);
  refuseTwice(keypads, 'keypad', refuse);
  refuseTwice(readers, 'reader', refuse);
};

interface UsedLine {
  readonly line: number;
  readonly at: PlaceInProfile;
}

const linesOf = (bus: Bus): readonly UsedLine[] => {
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

/** Whoever asks the kernel second for a line is refused; two labels in common may be the same chip. */
export const linesAreUsedOnce: Check = ({ buses }, refuse) => {
  const users = new Map<string, string>();
  for (const [name, bus] of Object.entries(buses)) {
    if (!('chip' in bus)) continue;
    for (const { line, at } of linesOf(bus)) {
      const place = ['buses', name, ...at];
      const taken = bus.chip.map(label => users.get(`${label} ${line}`)).find(user => user !== undefined);
      if (taken !== undefined) refuse(place, `line ${line} is used by ${taken} already`);
      for (const label of bus.chip) users.set(`${label} ${line}`, place.join('.'));
    }
  }
};

const channelsOf = (bus: Bus): readonly (readonly [channel: string, at: PlaceInProfile])[] => {
  if (bus.driver === 'usb-relay')
    return Object.entries(bus.outputs).map(([name, { channel }]) => [
      `channel ${channel}`,
      ['outputs', name, 'channel'],
    ]);
  if (bus.driver !== 'modbus') return [];
  return [
    ...Object.entries(bus.outputs).map(
      ([name, { unit, coil }]) => [`coil ${coil} of unit ${unit}`, ['outputs', name, 'coil']] as const,
    ),
    ...Object.entries(bus.inputs).map(
      ([name, { unit, input }]) => [`input ${input} of unit ${unit}`, ['inputs', name, 'input']] as const,
    ),
  ];
};

export const channelsAreUsedOnce: Check = ({ buses }, refuse) => {
  for (const [name, bus] of Object.entries(buses)) {
    const seen = new Set<string>();
    for (const [channel, at] of channelsOf(bus)) {
      if (seen.has(channel)) refuse(['buses', name, ...at], `${channel} is used already`);
      seen.add(channel);
    }
  }
};

const HIGHEST_COIL = 0xffff;

/** A board is told to time a pulse at another address, and that has to exist too. */
export const pulsesHaveACoil: Check = ({ buses }, refuse) => {
  for (const [name, bus] of Object.entries(buses)) {
    if (bus.driver !== 'modbus' || bus.pulse === undefined) continue;
    const { base } = bus.pulse;
    for (const [output, { coil }] of Object.entries(bus.outputs))
      if (base + coil > HIGHEST_COIL)
        refuse(['buses', name, 'outputs', output, 'coil'], `with pulse.base ${base} is beyond ${HIGHEST_COIL}`);
  }
};

/** There is one PC/SC service on a machine, and one socket for the simulated parts. */
export const oneOfItsKind: Check = ({ buses }, refuse) => {
  for (const kind of ['simulated', 'pcsc'] as const) {
    const same = Object.entries(buses).filter(([, { driver }]) => driver === kind);
    for (const [name] of same.slice(1)) refuse(['buses', name, 'driver'], `another bus is ${kind} already`);
  }
};
