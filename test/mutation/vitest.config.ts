import { defineConfig } from 'vitest/config';

/** Only the tests of access-core, whose rules are mutated. */
export default defineConfig({
  test: {
    include: ['packages/access-core/src/**/*.test.ts'],
    setupFiles: ['test/mutation/limit-property-test-time.ts'],
    testTimeout: 60_000,
  },
});
