import type { BusParts, ProfilePath } from '@lintel/drivers/definition';
import { driverOf, type HardwareBus } from '@lintel/drivers/drivers';

export interface ProfileBusPart {
  readonly name: string;
  readonly bus: string;
  readonly at: ProfilePath;
}

type Kind = 'outputs' | 'inputs' | 'keypads' | 'readers';

/** Collects the outputs, inputs, keypads and readers of all buses. */
export const collectBusParts = (
  buses: Readonly<Record<string, HardwareBus>>,
): Readonly<Record<Kind, readonly ProfileBusPart[]>> => {
  const all = Object.entries(buses).map(([bus, settings]) => ({ bus, parts: driverOf(settings).parts(settings, bus) }));
  const collect = (kind: keyof BusParts & Kind): ProfileBusPart[] =>
    all.flatMap(({ bus, parts }) =>
      (parts[kind] ?? []).map(([name, at]) => ({ name, bus, at: ['buses', bus, ...at] })),
    );
  return {
    outputs: collect('outputs'),
    inputs: collect('inputs'),
    keypads: collect('keypads'),
    readers: collect('readers'),
  };
};
