import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    readonly seed: number;
  }
}

/** True for `npm run test:all`. `npm test` runs a sample of the long properties and leaves out tests tagged `slow`. */
const isFullRun = process.env['LINTEL_TESTS'] === 'all';

/** How many iterations a property, fuzz or fault test runs: a sample by default, all of them in `npm run test:all`. */
export const iterations = (budget: { readonly sample: number; readonly all: number }): number =>
  isFullRun ? budget.all : budget.sample;

/** Changes with every run and is printed at its end. `LINTEL_SEED=N npm test` repeats a run. */
export const runSeed = (): number => inject('seed');
