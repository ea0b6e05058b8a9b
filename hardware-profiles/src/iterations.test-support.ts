import process from 'node:process';

/** `npm run test:all` sets this. `npm test` runs a sample of the long properties. */
const isFullRun = process.env['LINTEL_TESTS'] === 'all';

/** How many iterations a property runs: a sample by default, all of them in `npm run test:all`. */
export const iterations = (budget: { readonly sample: number; readonly all: number }): number =>
  isFullRun ? budget.all : budget.sample;
