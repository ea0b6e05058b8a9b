import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PrepareProblem } from './prepare-problem.ts';

/** Null when there is no such file. */
export const textOf = (folder: string, name: string): string | null => {
  try {
    return readFileSync(join(folder, name), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new PrepareProblem(`${join(folder, name)} cannot be read: ${(error as Error).message}`);
  }
};
