import { partsOfBuses, type PlaceInProfile } from '../bus-parts.ts';
import { outputsInSteps, type ProfileGadget } from '../gadgets.ts';
import { type Check, namesOf } from './check.ts';

const outputsOfGadget = (gadget: ProfileGadget): readonly (readonly [output: string, at: PlaceInProfile])[] => {
  if (gadget.kind === 'door') return [[gadget.strike, ['strike']]];
  if (gadget.kind === 'blind')
    return [
      [gadget.up, ['up']],
      [gadget.down, ['down']],
    ];
  return [...outputsInSteps(gadget.actions)].map(output => {
    const action = gadget.actions.findIndex(({ steps }) =>
      steps.some(step => 'output' in step && step.output === output),
    );
    const steps = gadget.actions[action]?.steps ?? [];
    const step = steps.findIndex(one => 'output' in one && one.output === output);
    return [output, ['actions', action, 'steps', step, 'output']];
  });
};

/** An output that two gadgets switch is on while one of them believes it off; a light of a station may speak for all. */
export const outputsHaveOneOwner: Check = ({ buses, gadgets, stations }, refuse) => {
  const outputs = namesOf(partsOfBuses(buses).outputs);
  const owners = new Map<string, string>();
  for (const [name, { indicator }] of Object.entries(stations))
    for (const output of Object.values(indicator)) if (output !== undefined) owners.set(output, `the station ${name}`);
  for (const [index, gadget] of gadgets.entries()) {
    for (const [output, at] of outputsOfGadget(gadget)) {
      const owner = owners.get(output);
      if (!outputs.has(output)) refuse(['gadgets', index, ...at], `there is no output ${output}`);
      else if (owner !== undefined) refuse(['gadgets', index, ...at], `${output} belongs to ${owner} already`);
      owners.set(output, `the gadget ${gadget.key}`);
    }
  }
};
