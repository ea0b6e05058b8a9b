import { onTestFailed } from 'vitest';
import { SeededRandom } from '../../bench/decide-fixture/seeded-random.ts';

/** Another one in each run; a failure names it, and `LINTEL_SEED` plays it again. */
export const seededHere = (): SeededRandom => {
  const seed = Number(process.env['LINTEL_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  onTestFailed(() => void process.stderr.write(`played again with LINTEL_SEED=${seed}\n`));
  return new SeededRandom(seed);
};
