import { driverOf } from '@lintel/drivers/drivers';
import { collectBusParts } from '../collect-bus-parts.ts';
import { type ProfileCrossCheck, collectPartNames } from './cross-check-type-and-part-names.ts';

export const checkReaderUnitsHaveParts: ProfileCrossCheck = ({ buses, stations }, report) => {
  const parts = collectBusParts(buses);
  const [keypads, readers, outputs] = [
    collectPartNames(parts.keypads),
    collectPartNames(parts.readers),
    collectPartNames(parts.outputs),
  ];
  const used = new Set<string>();
  for (const [name, { keypad, reader, indicator }] of Object.entries(stations)) {
    const checkPart = (field: 'keypad' | 'reader', part: string | undefined, known: ReadonlySet<string>): void => {
      if (part === undefined) return;
      if (!known.has(part)) report(['stations', name, field], `unknown ${field} ${part}`);
      if (used.has(`${field} ${part}`)) report(['stations', name, field], `${part} already belongs to another station`);
      used.add(`${field} ${part}`);
    };
    checkPart('keypad', keypad, keypads);
    checkPart('reader', reader, readers);
    for (const [light, output] of Object.entries(indicator))
      if (output !== undefined && !outputs.has(output))
        report(['stations', name, 'indicator', light], `unknown output ${output}`);
  }
};

export const checkCapabilitiesMatchReaderUnits: ProfileCrossCheck = ({ capabilities, stations, buses }, report) => {
  const all = Object.values(stations);
  const hasKeypad = all.some(({ keypad }) => keypad !== undefined);
  if (capabilities.pin && !hasKeypad) report(['capabilities', 'pin'], 'requires a station with a keypad');
  if (!capabilities.pin && hasKeypad) report(['capabilities', 'pin'], 'must be true: a station has a keypad');
  const linkReaders = collectBusParts(buses).readers.filter(({ bus }) => driverOf(buses[bus]!).reads === 'magic_links');
  const isCardReader = (reader: string | undefined): boolean =>
    reader !== undefined && !linkReaders.some(({ name }) => name === reader);
  if (capabilities.nfc && !all.some(({ reader }) => isCardReader(reader)))
    report(['capabilities', 'nfc'], 'requires a station with a card reader');
  if (capabilities.audio && !all.some(({ indicator }) => indicator.buzzer !== undefined))
    report(['capabilities', 'audio'], 'requires a station with a buzzer');
};

export const checkTimesAreConsistent: ProfileCrossCheck = ({ times }, report) => {
  const checkNotShorter = (
    key: keyof typeof times,
    other: keyof typeof times,
    defaultValue: number,
    otherDefault: number,
  ): void => {
    if ((times[key] ?? defaultValue) < (times[other] ?? otherDefault))
      report(['times', key], `must not be shorter than ${other}`);
  };
  checkNotShorter('longest_lockout_ms', 'first_lockout_ms', 900_000, 30_000);
  checkNotShorter('forget_ms', 'known_pin_pause_ms', 10_000, 3_000);
};
