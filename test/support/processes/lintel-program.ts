import { join } from 'node:path';

const home = join(import.meta.dirname, '../../..');

/** Set by `lintel-program-setup.ts`. */
export const BUNDLE_VARIABLE = 'LINTEL_TEST_PROGRAM';

/** File of the program `lintel` that tests start as a process. Without a bundle, as in benchmarks, its source. */
export const lintelProgramFile: string = process.env[BUNDLE_VARIABLE] ?? join(home, 'cli/src/lintel.ts');
