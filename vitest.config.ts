import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const rooms = [
  'access-core',
  'wire-protocol',
  'device-link',
  'hardware-profiles',
  'device-runtime',
  'gateway',
  'cloud-bridge',
  'console',
  'simulator',
];

export default defineConfig({
  test: {
    reporters: ['default', './test/reporting/closing-line.ts', './test/reporting/stuck-files.ts'],
    testTimeout: 30_000,
    // What is waited for comes when the machine has time for it. Where a promise names a limit, the test does.
    expect: { poll: { timeout: 20_000 } },
    // Most files wait for processes, disks and browsers: none need be kept free for the runner.
    maxWorkers: availableParallelism(),
    projects: [
      ...rooms.map(name => ({ extends: true as const, test: { name, include: [`${name}/src/**/*.test.ts`] } })),
      { extends: true, test: { name: 'architecture', include: ['test/architecture/**/*.test.ts'] } },
      { extends: true, test: { name: 'oracle', include: ['test/oracle/**/*.test.ts'] } },
      { extends: true, test: { name: 'house', include: ['test/house/**/*.test.ts'] } },
      { extends: true, test: { name: 'contract', include: ['test/contract/**/*.test.ts'], testTimeout: 120_000 } },
      { extends: true, test: { name: 'oauth', include: ['test/oauth/**/*.test.ts'], testTimeout: 120_000 } },
      { extends: true, test: { name: 'browser', include: ['test/browser/**/*.test.ts'], testTimeout: 120_000 } },
      { extends: true, test: { name: 'faults', include: ['test/faults/**/*.test.ts'], testTimeout: 600_000 } },
      { extends: true, test: { name: 'fuzz', include: ['test/fuzz/**/*.test.ts'], testTimeout: 300_000 } },
    ],
  },
});
