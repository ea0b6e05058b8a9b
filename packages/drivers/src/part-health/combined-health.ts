import { PartHealth } from './part-health.ts';

/** Combines the health of several parts into one: the first fault in order. */
export const combinePartHealth = (all: readonly PartHealth[], joined = new PartHealth()): PartHealth => {
  const update = (): void => joined.follow(all.find(({ fault }) => fault !== null)?.fault ?? null);
  for (const health of all) health.onFault(update);
  return joined;
};
