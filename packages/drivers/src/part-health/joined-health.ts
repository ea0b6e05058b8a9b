import { PartHealth } from './part-health.ts';

/** The health of several that are one part for the outside: the first fault among them, in their order. */
export const joinHealth = (all: readonly PartHealth[], joined = new PartHealth()): PartHealth => {
  const update = (): void => joined.follow(all.find(({ fault }) => fault !== null)?.fault ?? null);
  for (const health of all) health.onFault(update);
  return joined;
};
