import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

const flushed = (path: string, text: string): void => {
  rmSync(path, { force: true });
  const file = openSync(path, 'wx', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

const flushFolder = (folder: string): void => {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};

/** For its owner only, and replaced whole: written beside, flushed, renamed, and the name flushed too. */
export const writePrivately = (path: string, text: string): void => {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  flushed(`${path}.new`, text);
  renameSync(`${path}.new`, path);
  flushFolder(folder);
};

/** So that it does not come back after a loss of power either. */
export const removePrivately = (path: string): void => {
  rmSync(path, { force: true });
  flushFolder(dirname(path));
};
