import { describePermissionRemedy } from '../users/permission-remedy.ts';

const explanations: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: () => 'no such file or folder',
  EACCES: path => `permission denied. ${describePermissionRemedy(path)}`,
  EPERM: path => `permission denied. ${describePermissionRemedy(path)}`,
  EROFS: () => 'the disk is read-only, or became read-only after an error. See dmesg',
  ENOSPC: () => 'the disk is full',
  EDQUOT: () => 'the disk quota of this user is used up',
  EISDIR: () => 'is a folder, but must be a file',
  EEXIST: () => 'is a file, but must be a folder',
  ENOTDIR: () => 'a part of this path is not a directory',
  ENAMETOOLONG: () => 'the name is too long',
  EIO: () => 'the disk reports errors',
};

/** Errors that say enough without the path. */
const diskErrors: ReadonlySet<string> = new Set(['EROFS', 'ENOSPC', 'EDQUOT', 'EIO']);

/**
 * The path and an explanation. For any other error its own message. `file` is for errors of reads and writes, which lack
 * the path.
 */
export const describeSystemError = (error: unknown, file?: string): string => {
  const { code = '', path = file, message } = error as NodeJS.ErrnoException;
  const explanation = Object.hasOwn(explanations, code) ? explanations[code] : undefined;
  if (explanation === undefined) return message;
  if (path !== undefined) return `${path}: ${explanation(path)}`;
  const text = explanation('');
  return diskErrors.has(code) ? `${text[0]!.toUpperCase()}${text.slice(1)}` : message;
};

/** What is wrong with a JSON text, without the excerpt of the content, which may contain a password. */
export const describeJsonError = ({ message }: SyntaxError): string =>
  `is not valid JSON: ${message.replace(/, (?:\.{3})?".*is not valid JSON$/s, '').replace(' in JSON', '')}`;

/** Why a JSON file that a person named cannot be read. */
export const describeJsonFileError = (error: unknown, file: string): string =>
  error instanceof SyntaxError ? `${file} ${describeJsonError(error)}` : describeSystemError(error, file);
