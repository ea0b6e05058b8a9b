import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
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

const made = new Set<string>();
let isExitWatched = false;

/** In memory where there is such a place: days of a scenario are thousands of flushed writes, and nobody needs them later. */
export const scratchFolder = (): string => {
  const folder = mkdtempSync(join(isUsable(IN_MEMORY) ? IN_MEMORY : tmpdir(), 'lintel-scenario-'));
  if (!isExitWatched) process.once('exit', () => made.forEach(dropFolder));
  isExitWatched = true;
  made.add(folder);
  return folder;
};

export const dropFolder = (folder: string): void => {
  rmSync(folder, { recursive: true, force: true });
  made.delete(folder);
};
