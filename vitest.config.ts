import { randomInt } from 'node:crypto';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import HeavyFilesFirstSequencer from './test/reporting/heavy-files-first-sequencer.ts';
import { addSystemProgramsToPath } from './test/support/processes/system-program-path.ts';
import { useTemporaryFolderInMemory } from './test/support/temporary-folder-in-memory.ts';

useTemporaryFolderInMemory();
addSystemProgramsToPath();
// Halves the start of the processes that tests start from source.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'lintel-compile-cache');

const programsAndPackages = [
  'packages/*',
  'hardware-profiles',
  'device-runtime',
  'gateway',
  'cloud-bridge',
  'console',
  'simulator',
  'cli',
];

/** Property and fuzz tests draw from it. */
const seed = Number(process.env['LINTEL_SEED'] ?? randomInt(2 ** 31));

export default defineConfig({
  ssr: { resolve: { conditions: ['lintel-source', 'module', 'node', 'development|production'] } },
  test: {
    reporters: ['default', './test/reporting/run-summary-reporter.ts', './test/reporting/stuck-file-reporter.ts'],
    sequence: { sequencer: HeavyFilesFirstSequencer },
    provide: { seed },
    testTimeout: 180_000,
    hookTimeout: 120_000,
    // One more attempt on a shared CI machine. The summary names every test that needed it.
    retry: process.env['CI'] === undefined ? 0 : 1,
    // Polls end when the condition holds. A busy machine may need this long; a stated limit is part of its test.
    expect: { poll: { timeout: 60_000 } },
    // More than there are processors: system tests mostly wait for processes, disks and browsers. With one or two more the
    // full suite is not faster on two cores, and with two more browser tests need their second attempt.
    maxWorkers: availableParallelism() + 2,
    // Files of one worker share the modules that they import: loading them costs more than most tests.
    isolate: false,
    tags: [{ name: 'slow', description: 'Runs with `npm run test:all` only', timeout: 600_000 }],
    projects: [
      {
        extends: true,
        // One project for all packages: each project starts its own workers, and each worker loads what it imports.
        test: { name: 'unit', include: programsAndPackages.map(folder => `${folder}/src/**/*.test.ts`) },
      },
      { extends: true, test: { name: 'architecture', include: ['test/architecture/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'system',
          include: ['test/**/*.test.ts'],
          exclude: [
            'test/architecture/**',
            'test/image/virtual-machine/**',
            'test/image/container/**',
            'test/kernel/**',
            'test/cluster/**',
          ],
          globalSetup: [
            'test/support/bridge/postgres-setup.ts',
            'test/support/processes/bundle-programs-setup.ts',
            'test/support/browser/built-pages.ts',
          ],
        },
      },
    ],
  },
});
