import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { addSystemProgramsToPath } from '../support/processes/system-program-path.ts';

addSystemProgramsToPath();

/** `npm run test:cluster`: several bridges under load while their parts fail. Not part of `npm test`. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '../..'),
    name: 'cluster',
    include: ['test/cluster/**/*.test.ts'],
    fileParallelism: false,
    bail: 1,
    testTimeout: 600_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
  },
});
