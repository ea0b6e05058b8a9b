import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const home = join(import.meta.dirname, '../../..');
export const builtPages = join(home, 'console/dist');

/** Builds the pages. A test run does it once, before its tests. */
export default async (): Promise<void> => {
  await promisify(execFile)(process.execPath, [join(home, 'console/build.ts')]);
};
