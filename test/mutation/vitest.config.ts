import { defineConfig } from 'vitest/config';

/** Only the tests of access-core: the ones that must notice a changed rule. */
export default defineConfig({
  test: {
    include: ['packages/access-core/src/**/*.test.ts'],
    setupFiles: ['test/mutation/bounded-properties.ts'],
    testTimeout: 60_000,
  },
});
