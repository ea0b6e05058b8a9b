import { accessSync, constants, lstatSync, readFileSync, renameSync } from 'node:fs';

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code;

/** Renames a file that cannot be used, and keeps it for inspection. Returns a sentence that says so. */
export const setAsideDamagedFile = (path: string, reason: string, now: Date = new Date()): string => {
  const kept = `${path}.damaged-${now.toISOString().slice(0, 19).replaceAll(':', '-')}`;
  try {
    renameSync(path, kept);
    return `${path} was not usable (${reason}) and was renamed to ${kept}`;
  } catch (error) {
    return `${path} is not usable (${reason}) and cannot be renamed (${String(codeOf(error))})`;
  }
};

/** False for a folder or a link in place of a file, and for a file that this user cannot read and write. */
export const isMissingOrUsableFile = (path: string): boolean => {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return lstatSync(path).isFile();
  } catch (error) {
    // On a read-only disk the file itself is fine.
    return ['ENOENT', 'EROFS'].includes(String(codeOf(error)));
  }
};

const describeReadError = (error: unknown): string => {
  if (error instanceof SyntaxError) return 'not valid JSON';
  if (codeOf(error) === 'EISDIR') return 'it is a folder';
  if (codeOf(error) === 'EACCES') return 'permission denied';
  return String(codeOf(error) ?? error);
};

/** Reads a file that the program can rebuild: undefined when it is missing, or when it was set aside. */
export const readJsonOrSetAside = (path: string, onDamaged: (problem: string) => void): unknown => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') onDamaged(setAsideDamagedFile(path, describeReadError(error)));
    return undefined;
  }
};
