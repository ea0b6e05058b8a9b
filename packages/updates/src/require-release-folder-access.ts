import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describeSystemError } from '@lintel/service/command-line/describe-system-error';
import { getErrorCode } from '@lintel/service/error-code';
import { UPDATE_SLOTS_FILE } from './update-slots-file.ts';

/** Throws when the folder cannot be read. A missing folder is valid: no release was installed yet. */
export const requireReadableFolder = (folder: string, sudoCommand: string): void => {
  try {
    accessSync(join(folder, UPDATE_SLOTS_FILE), constants.R_OK);
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return;
    const reason = getErrorCode(error) === 'EACCES' ? `. Run: ${sudoCommand}` : `: ${describeSystemError(error)}`;
    throw new Error(`Cannot read ${folder}${reason}`, { cause: error });
  }
};

const nearestExisting = (folder: string): string =>
  existsSync(folder) || dirname(folder) === folder ? folder : nearestExisting(dirname(folder));

/** Checked first, because creating a folder on a read-only disk fails as if the parent were missing. */
export const requireWritableFolder = (folder: string, sudoCommand: string): void => {
  try {
    accessSync(nearestExisting(folder), constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = getErrorCode(error) === 'EACCES' ? `. Run: ${sudoCommand}` : `: ${describeSystemError(error)}`;
    throw new Error(`Cannot write to ${folder}${reason}`, { cause: error });
  }
};
