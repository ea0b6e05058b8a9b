import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { flushFolderSync } from './flush-folder.ts';

const writeFlushed = (path: string, content: string | Uint8Array): void => {
  rmSync(path, { force: true });
  const file = openSync(path, 'wx', 0o600);
  try {
    // Writes everything or throws. A single write call may be partial on a nearly full disk.
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

/** Replaces a file that only its owner can read, atomically and durably: writes a new file, flushes and renames it. */
export const writePrivateFile = (path: string, content: string | Uint8Array): void => {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFlushed(`${path}.new`, content);
  renameSync(`${path}.new`, path);
  flushFolderSync(folder);
};

/** Flushes the folder, so that the file stays deleted after a power cut. */
export const removePrivateFile = (path: string): void => {
  rmSync(path, { force: true });
  flushFolderSync(dirname(path));
};
