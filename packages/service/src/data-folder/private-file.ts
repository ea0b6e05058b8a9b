import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const flushed = (path: string, content: string | Uint8Array): void => {
  rmSync(path, { force: true });
  const file = openSync(path, 'wx', 0o600);
  try {
    // All of it or an error: a single write to a disk that is nearly full may take only a part.
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

export const flushFolder = (folder: string): void => {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};

/** For its owner only, and replaced whole: written beside, flushed, renamed, and the name flushed too. */
export const writePrivately = (path: string, content: string | Uint8Array): void => {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  flushed(`${path}.new`, content);
  renameSync(`${path}.new`, path);
  flushFolder(folder);
};

/** So that it does not come back after a loss of power either. */
export const removePrivately = (path: string): void => {
  rmSync(path, { force: true });
  flushFolder(dirname(path));
};
