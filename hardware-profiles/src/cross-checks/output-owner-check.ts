import type { ProfilePath } from '@lintel/drivers/definition';
import { collectBusParts } from '../collect-bus-parts.ts';
import { listOutputsInSteps, type ProfileGadget } from '../gadget-schemas.ts';
import { type ProfileCrossCheck, collectPartNames } from './cross-check-type-and-part-names.ts';

const outputsOfGadget = (gadget: ProfileGadget): readonly (readonly [output: string, at: ProfilePath])[] => {
  if (gadget.kind === 'door') return [[gadget.strike, ['strike']]];
  if (gadget.kind === 'blind')
    return [
      [gadget.up, ['up']],
      [gadget.down, ['down']],
    ];
  return [...listOutputsInSteps(gadget.actions)].map(output => {
    const action = gadget.actions.findIndex(({ steps }) =>
      steps.some(step => 'output' in step && step.output === output),
    );
    const steps = gadget.actions[action]?.steps ?? [];
    const step = steps.findIndex(candidate => 'output' in candidate && candidate.output === output);
    return [output, ['actions', action, 'steps', step, 'output']];
  });
};

/** An output must not be switched by two gadgets. Several stations may share an indicator light. */
export const checkOutputsHaveOneOwner: ProfileCrossCheck = ({ buses, gadgets, stations }, report) => {
  const outputs = collectPartNames(collectBusParts(buses).outputs);
  const owners = new Map<string, string>();
  for (const [name, { indicator }] of Object.entries(stations))
    for (const output of Object.values(indicator)) if (output !== undefined) owners.set(output, `station ${name}`);
  for (const [index, gadget] of gadgets.entries()) {
    for (const [output, at] of outputsOfGadget(gadget)) {
      const owner = owners.get(output);
      if (!outputs.has(output)) report(['gadgets', index, ...at], `unknown output ${output}`);
      else if (owner !== undefined) report(['gadgets', index, ...at], `${output} is already used by ${owner}`);
      owners.set(output, `gadget ${gadget.key}`);
    }
  }
};
