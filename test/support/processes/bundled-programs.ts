import { join } from 'node:path';

const home = join(import.meta.dirname, '../../..');

/** Source files of the programs that tests start most often. */
export const bundledPrograms = {
  lintel: 'cli/src/lintel.ts',
  simulator: 'simulator/src/main.ts',
  'campaign-controller': 'test/faults/campaign/system/controller-process.ts',
  'busy-controller': 'test/support/faults/busy-controller-process.ts',
  'start-bridge-during-outages': 'test/support/faults/start-bridge-during-outages-process.ts',
  'update-phase': 'test/support/faults/update-phase-process.ts',
  'crashing-terminal-program': 'test/support/processes/crashing-terminal-program.ts',
  'wired-controller': 'test/support/faults/wired-controller-process.ts',
} as const;

/** The folder of the bundles. Set by `bundle-programs-setup.ts`. */
export const BUNDLES_VARIABLE = 'LINTEL_TEST_PROGRAMS';

/** The file to start: the bundle, or without one, as in benchmarks, the source. */
export const programFile = (name: keyof typeof bundledPrograms): string => {
  const bundles = process.env[BUNDLES_VARIABLE];
  return bundles === undefined ? join(home, bundledPrograms[name]) : join(bundles, `${name}.mjs`);
};

export const lintelProgramFile: string = programFile('lintel');
export const campaignControllerFile: string = programFile('campaign-controller');
