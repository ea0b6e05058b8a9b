import { accessSync, constants, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';

const isUsable = (folder: string): boolean => {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
};

/** In memory where there is such a place: days of a scenario are thousands of flushed writes, and nobody needs them later. */
export const scratchFolder = (): string =>
  mkdtempSync(join(isUsable(IN_MEMORY) ? IN_MEMORY : tmpdir(), 'lintel-scenario-'));
