import { lstatSync, readFileSync, renameSync } from 'node:fs';
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

/** False for a folder or a link in place of a file. A file that cannot be used now, such as after EIO or EACCES, counts as usable. */
export const isMissingOrUsableFile = (path: string): boolean => {
  try {
    return lstatSync(path).isFile();
  } catch {
    return true;
  }
};

/** A file that exists cannot be read now. That says nothing about its content: it is kept, and read again later. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError';
}

/** Null for a missing file. Throws an UnreadableFileError. */
export const readFileIfExists = (path: string): Buffer | null => {
  try {
    return readFileSync(path);
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return null;
    throw new UnreadableFileError(`${path} cannot be read (${getErrorCode(error)})`, { cause: error });
  }
};

const isFolder = (error: unknown): boolean => getErrorCode((error as Error).cause) === 'EISDIR';

/**
 * Reads a file that the program can rebuild: undefined when it is missing, or when it was set aside because its content
 * is damaged. Throws an UnreadableFileError when it cannot be read now.
 */
export const readJsonOrSetAside = (path: string, onDamaged: (problem: string) => void): unknown => {
  try {
    const bytes = readFileIfExists(path);
    return bytes === null ? undefined : JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    if (!(error instanceof SyntaxError) && !isFolder(error)) throw error;
    onDamaged(setAsideDamagedFile(path, error instanceof SyntaxError ? 'not valid JSON' : 'it is a folder'));
    return undefined;
  }
};
