import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PrepareError } from './prepare-error.ts';

/** Null when there is no such file. */
export const readText = (folder: string, name: string): string | null => {
  try {
    return readFileSync(join(folder, name), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new PrepareError(`${join(folder, name)} cannot be read: ${(error as Error).message}`);
  }
};
