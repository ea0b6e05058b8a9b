import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY_FOLDER = '/dev/shm';

const isWritable = (folder: string): boolean => {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
};

const created = new Set<string>();
let hasExitHandler = false;

/** Creates a temporary folder, in memory if possible: a scenario makes thousands of flushed writes. */
export const createScratchFolder = (): string => {
  const folder = mkdtempSync(join(isWritable(MEMORY_FOLDER) ? MEMORY_FOLDER : tmpdir(), 'lintel-scenario-'));
  if (!hasExitHandler) process.once('exit', () => created.forEach(removeScratchFolder));
  hasExitHandler = true;
  created.add(folder);
  return folder;
};

export const removeScratchFolder = (folder: string): void => {
  rmSync(folder, { recursive: true, force: true });
  created.delete(folder);
};
