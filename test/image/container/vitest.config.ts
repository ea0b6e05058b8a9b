import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** `npm run test:container`: builds the container images. Not part of `npm test`. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '../../..'),
    name: 'container',
    include: ['test/image/container/**/*.test.ts'],
    // Both build the base images that are missing.
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 3_600_000,
    expect: { poll: { timeout: 120_000 } },
  },
});
