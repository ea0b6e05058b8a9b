import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { describeSystemError } from '../command-line/describe-system-error.ts';
import { getErrorCode } from '../error-code.ts';
import { DataFolderError } from './data-folder-error.ts';

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

const createMissing = (folder: string): boolean => {
  if (isFolder(folder)) return false;
  if (dirname(folder) !== folder) createMissing(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    // Another process may have created it just now.
    if (getErrorCode(error) === 'EEXIST' && isFolder(folder)) return false;
    throw error;
  }
};

/**
 * Creates a private folder and those above it. False if it exists. Throws a DataFolderError that names the problem. Does not
 * use the recursive mkdir of Node, which never returns for a folder in `/proc`.
 */
export const createPrivateFolder = (folder: string): boolean => {
  try {
    return createMissing(folder);
  } catch (error) {
    throw new DataFolderError(describeSystemError(error, folder), { cause: error });
  }
};
