import { partsOfBuses } from '../bus-parts.ts';
import { type Check, namesOf } from './check.ts';

export const stationsHaveParts: Check = ({ buses, stations }, refuse) => {
  const parts = partsOfBuses(buses);
  const [keypads, readers, outputs] = [namesOf(parts.keypads), namesOf(parts.readers), namesOf(parts.outputs)];
  const used = new Set<string>();
  for (const [name, { keypad, reader, indicator }] of Object.entries(stations)) {
    const take = (field: 'keypad' | 'reader', part: string | undefined, known: ReadonlySet<string>): void => {
      if (part === undefined) return;
      if (!known.has(part)) refuse(['stations', name, field], `there is no ${field} ${part} on any bus`);
      if (used.has(`${field} ${part}`)) refuse(['stations', name, field], `${part} belongs to another station already`);
      used.add(`${field} ${part}`);
    };
    take('keypad', keypad, keypads);
    take('reader', reader, readers);
    for (const [light, output] of Object.entries(indicator))
      if (output !== undefined && !outputs.has(output))
        refuse(['stations', name, 'indicator', light], `there is no output ${output}`);
  }
};

export const capabilitiesAgree: Check = ({ capabilities, stations }, refuse) => {
  const all = Object.values(stations);
  const hasKeypad = all.some(({ keypad }) => keypad !== undefined);
  if (capabilities.pin && !hasKeypad) refuse(['capabilities', 'pin'], 'needs a station with a keypad');
  if (!capabilities.pin && hasKeypad) refuse(['capabilities', 'pin'], 'must be true: a station has a keypad');
  if (capabilities.nfc && !all.some(({ reader }) => reader !== undefined))
    refuse(['capabilities', 'nfc'], 'needs a station with a reader');
  if (capabilities.audio && !all.some(({ indicator }) => indicator.buzzer !== undefined))
    refuse(['capabilities', 'audio'], 'needs a station with a buzzer');
};

export const timesFitTogether: Check = ({ times }, refuse) => {
  const shorter = (key: keyof typeof times, than: keyof typeof times, usual: number, usualThan: number): void => {
    if ((times[key] ?? usual) < (times[than] ?? usualThan)) refuse(['times', key], `must not be shorter than ${than}`);
  };
  shorter('longest_lockout_ms', 'first_lockout_ms', 900_000, 30_000);
  shorter('forget_ms', 'known_pin_pause_ms', 10_000, 3_000);
};
