import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { getErrorCode } from '../error-code.ts';
import { classifyStorageError } from '../sqlite/storage-error.ts';
import { describePermissionRemedy } from '../users/permission-remedy.ts';

/** A file that the program needs cannot be used. The message says what to do. */
export class FileError extends Error {
  override readonly name = 'FileError';
}

const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
};

/** Of the file, or of its folder while the file does not exist. */
const isOnReadOnlyFileSystem = (path: string): boolean =>
  [path, dirname(path)].some(place => {
    try {
      accessSync(place, constants.W_OK);
      return false;
    } catch (error) {
      return getErrorCode(error) === 'EROFS';
    }
  });

const isMissing = (path: string): boolean => {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
};

const reasonFor = (path: string, error: unknown): string => {
  const code = getErrorCode(error);
  if (isFolder(path)) return 'is a folder, but must be a file. Move it away and restore the file from a backup';
  // The shared memory of SQLite needs space as well.
  if (['ENOSPC', 'SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE'].includes(code))
    return 'cannot be opened: the disk is full. Free disk space, then try again';
  if (classifyStorageError(error) === 'damaged') return 'is damaged. Restore it from a backup';
  if (code === 'EROFS' || isOnReadOnlyFileSystem(path))
    return 'is on a read-only file system. Check the disk (dmesg), and mount it for writing';
  // Of SQLite as well, which says "cannot open" for both.
  if (code === 'ENOENT' || (code.startsWith('SQLITE_') && isMissing(path)))
    return 'is missing. Check the path, or restore the file from a backup';
  if (['EACCES', 'EPERM', 'SQLITE_CANTOPEN', 'SQLITE_READONLY'].includes(code))
    return `cannot be opened: permission denied. ${describePermissionRemedy(path)}`;
  return `cannot be read (${code}). Check the disk, or restore the file from a backup`;
};

export const toFileError = (path: string, error: unknown): FileError =>
  new FileError(`${path} ${reasonFor(path, error)}.`, { cause: error });

/** Throws a FileError. */
export const readRequiredFile = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw toFileError(path, error);
  }
};
