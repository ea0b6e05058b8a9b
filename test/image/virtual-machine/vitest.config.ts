import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Virtual machines, one at a time: `npm run test:image`. Not a part of `npm test`. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '../../..'),
    name: 'image',
    include: ['test/image/virtual-machine/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 1_200_000,
    hookTimeout: 1_800_000,
  },
});
