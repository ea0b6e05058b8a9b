import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** `npm run test:image`: starts virtual machines, one at a time. Not part of `npm test`. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '../../..'),
    name: 'image',
    include: ['test/image/virtual-machine/**/*.test.ts'],
    fileParallelism: false,
    // Each test continues on the machine of the one before it.
    bail: 1,
    testTimeout: 3_600_000,
    hookTimeout: 3_600_000,
  },
});
