import { partsOfBuses, type PlaceInProfile } from '../bus-parts.ts';
import type { ProfileGadget } from '../gadgets.ts';
import type { ProfileFields } from '../profile-fields.ts';
import { type Check, namesOf } from './check.ts';

type UsedInput = readonly [input: string, at: PlaceInProfile];

/** Every input that the profile gives a meaning, and where. */
const usedInputs = ({ gadgets, tamper, setup_button, power }: ProfileFields): readonly UsedInput[] => {
  const used: (readonly [input: string | undefined, at: PlaceInProfile])[] = [];
  for (const [index, gadget] of gadgets.entries()) {
    if (gadget.kind !== 'door') continue;
    used.push([gadget.contact?.input, ['gadgets', index, 'contact', 'input']]);
    used.push([gadget.exit_button, ['gadgets', index, 'exit_button']]);
  }
  used.push([tamper, ['tamper']], [setup_button, ['setup_button']]);
  for (const [field, input] of Object.entries(power)) used.push([input, ['power', field]]);
  return used.filter((one): one is UsedInput => one[0] !== undefined);
};

/** An input that meant two things would open a door when somebody asks for the setup code. */
export const inputsMeanOneThing: Check = (profile, refuse) => {
  const inputs = namesOf(partsOfBuses(profile.buses).inputs);
  const seen = new Set<string>();
  for (const [input, at] of usedInputs(profile)) {
    if (!inputs.has(input)) refuse(at, `there is no input ${input}`);
    else if (seen.has(input)) refuse(at, `${input} has another meaning already`);
    seen.add(input);
  }
};

export const gadgetsFitTogether: Check = ({ capabilities, gadgets, interlocks, stations }, refuse) => {
  const kinds = new Map<string, ProfileGadget['kind']>();
  for (const [index, gadget] of gadgets.entries()) {
    if (kinds.has(gadget.key)) refuse(['gadgets', index, 'key'], `${gadget.key} is the key of another gadget`);
    kinds.set(gadget.key, gadget.kind);
    if (gadget.kind === 'door' && gadget.station !== undefined && !Object.hasOwn(stations, gadget.station))
      refuse(['gadgets', index, 'station'], `there is no station ${gadget.station}`);
  }
  if (gadgets.length > capabilities.gadget_max_count)
    refuse(['gadgets'], `must be at most ${capabilities.gadget_max_count}, as capabilities.gadget_max_count says`);
  if (capabilities.gadgets === 'single' && gadgets.length !== 1)
    refuse(['gadgets'], 'must be exactly one, as capabilities.gadgets says');
  const locked = new Set<string>();
  for (const [index, interlock] of interlocks.entries())
    for (const [place, key] of interlock.gadgets.entries()) {
      const at = ['interlocks', index, 'gadgets', place];
      if (kinds.get(key) !== 'door') refuse(at, `there is no door ${key}`);
      if (locked.has(key)) refuse(at, `${key} is named already`);
      locked.add(key);
    }
};

export const othersAreSimulated: Check = ({ buses, other_gadgets }, refuse) => {
  if (other_gadgets !== 'simulated') return;
  const hasRealBus = Object.values(buses).some(({ driver }) => driver !== 'simulated');
  const hasNone = Object.keys(buses).length === 0;
  if (hasRealBus || hasNone) refuse(['other_gadgets'], 'may be simulated only where every bus is');
};
