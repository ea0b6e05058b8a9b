import { PartHealth } from './part-health.ts';

/** The health of several that are one part for the outside: the first fault among them, in their order. */
export const joinHealth = (all: readonly PartHealth[]): PartHealth => {
  const joined = new PartHealth();
  const update = (): void => {
    const first = all.find(({ fault }) => fault !== null)?.fault ?? null;
    if (first === null) joined.heal();
    else joined.fail(first.kind, first.message);
  };
  for (const health of all) health.onFault(update);
  return joined;
};
