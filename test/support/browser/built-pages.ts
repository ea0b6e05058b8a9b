import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const home = join(import.meta.dirname, '../../..');
export const builtPages = join(home, 'console/dist');

let building: Promise<unknown> | null = null;

/** Builds the pages once, however many files of this process need them. */
export const buildPages = async (): Promise<void> => {
  building ??= promisify(execFile)(process.execPath, [join(home, 'console/build.ts')]);
  await building;
};
