import { accessSync, constants, lstatSync, readFileSync, renameSync } from 'node:fs';
import { getErrorCode } from '../error-code.ts';

/** Renames a file that cannot be used, and keeps it for inspection. Returns a sentence that says so. */
export const setAsideDamagedFile = (path: string, reason: string): string => {
  const kept = `${path}.damaged-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}`;
  try {
    renameSync(path, kept);
    return `${path} was not usable (${reason}) and was renamed to ${kept}`;
  } catch (error) {
    return `${path} is not usable (${reason}) and cannot be renamed (${getErrorCode(error)})`;
  }
};

/** False for a folder or a link in place of a file, and for a file that this user cannot read and write. */
export const isMissingOrUsableFile = (path: string): boolean => {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return lstatSync(path).isFile();
  } catch (error) {
    // On a read-only disk the file itself is fine.
    return ['ENOENT', 'EROFS'].includes(getErrorCode(error));
  }
};

const describeReadError = (error: unknown): string => {
  if (error instanceof SyntaxError) return 'not valid JSON';
  if (getErrorCode(error) === 'EISDIR') return 'it is a folder';
  if (getErrorCode(error) === 'EACCES') return 'permission denied';
  return getErrorCode(error) || String(error);
};

/** Reads a file that the program can rebuild: undefined when it is missing, or when it was set aside. */
export const readJsonOrSetAside = (path: string, onDamaged: (problem: string) => void): unknown => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (getErrorCode(error) !== 'ENOENT') onDamaged(setAsideDamagedFile(path, describeReadError(error)));
    return undefined;
  }
};
