import type { ProfilePath } from '@lintel/drivers/definition';
import { collectBusParts } from '../collect-bus-parts.ts';
import type { ProfileGadget } from '../gadget-schemas.ts';
import type { ProfileFields } from '../profile-fields-schema.ts';
import { type ProfileCrossCheck, collectPartNames } from './cross-check-type-and-part-names.ts';

type UsedInput = readonly [input: string, at: ProfilePath];

/** All references to inputs, with their paths. */
const usedInputs = ({ gadgets, tamper, setup_button, power }: ProfileFields): readonly UsedInput[] => {
  const used: (readonly [input: string | undefined, at: ProfilePath])[] = [];
  for (const [index, gadget] of gadgets.entries()) {
    if (gadget.kind !== 'door') continue;
    used.push([gadget.contact?.input, ['gadgets', index, 'contact', 'input']]);
    used.push([gadget.exit_button, ['gadgets', index, 'exit_button']]);
  }
  used.push([tamper, ['tamper']], [setup_button, ['setup_button']]);
  for (const field of ['mains', 'battery', 'charging'] as const) used.push([power[field], ['power', field]]);
  return used.filter((use): use is UsedInput => use[0] !== undefined);
};

/** An input with two purposes could open a door when the setup button is pressed. */
export const checkInputsHaveOnePurpose: ProfileCrossCheck = (profile, report) => {
  const inputs = collectPartNames(collectBusParts(profile.buses).inputs);
  const seen = new Set<string>();
  for (const [input, at] of usedInputs(profile)) {
    if (!inputs.has(input)) report(at, `unknown input ${input}`);
    else if (seen.has(input)) report(at, `${input} already has another purpose`);
    seen.add(input);
  }
};

export const checkGadgetReferencesAreValid: ProfileCrossCheck = (
  { capabilities, gadgets, interlocks, stations },
  report,
) => {
  const kinds = new Map<string, ProfileGadget['kind']>();
  for (const [index, gadget] of gadgets.entries()) {
    if (kinds.has(gadget.key)) report(['gadgets', index, 'key'], `${gadget.key} is already the key of another gadget`);
    kinds.set(gadget.key, gadget.kind);
    if (gadget.kind === 'door' && gadget.station !== undefined && !Object.hasOwn(stations, gadget.station))
      report(['gadgets', index, 'station'], `unknown station ${gadget.station}`);
  }
  if (gadgets.length > capabilities.gadget_max_count)
    report(['gadgets'], `must have at most ${capabilities.gadget_max_count} entries (capabilities.gadget_max_count)`);
  if (capabilities.gadgets === 'single' && gadgets.length !== 1)
    report(['gadgets'], 'must have exactly one entry (capabilities.gadgets)');
  const interlocked = new Set<string>();
  for (const [index, interlock] of interlocks.entries())
    for (const [place, key] of interlock.gadgets.entries()) {
      const at = ['interlocks', index, 'gadgets', place];
      if (kinds.get(key) !== 'door') report(at, `unknown door ${key}`);
      if (interlocked.has(key)) report(at, `${key} is already in an interlock`);
      interlocked.add(key);
    }
};

export const checkOtherGadgetsAreSimulated: ProfileCrossCheck = ({ buses, other_gadgets }, report) => {
  if (other_gadgets !== 'simulated') return;
  const hasRealBus = Object.values(buses).some(({ driver }) => driver !== 'simulated');
  const hasNone = Object.keys(buses).length === 0;
  if (hasRealBus || hasNone) report(['other_gadgets'], 'may be "simulated" only if all buses are simulated');
};

/** A status that the capabilities exclude would contradict them. */
export const checkPowerMatchesCapabilities: ProfileCrossCheck = ({ power, capabilities }, report) => {
  const requirements = [
    ['mains', 'mains'],
    ['battery', 'battery'],
    ['charging', 'battery_rechargeable'],
    ['gauge', 'battery'],
  ] as const;
  for (const [field, capability] of requirements)
    if (power[field] !== undefined && !capabilities[capability])
      report(['power', field], `requires the capability ${capability}`);
};
