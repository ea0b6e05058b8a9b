import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** `npm run test:kernel`: the firmware with devices of Debian's kernel in a virtual machine. Not part of `npm test`. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '../..'),
    name: 'kernel',
    include: ['test/kernel/**/*.test.ts'],
    // Each test continues on the machine of the one before it.
    bail: 1,
    testTimeout: 600_000,
    hookTimeout: 1_800_000,
    expect: { poll: { timeout: 300_000, interval: 200 } },
  },
});
