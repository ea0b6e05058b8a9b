import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemErrorInWords } from '@lintel/service/command-line/system-error';
import { SLOTS_FILE } from './kept-slots.ts';

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** What may not be read is not empty. A folder that is not there is: nothing was ever brought. */
export const requireReadable = (folder: string, asRoot: string): void => {
  try {
    accessSync(join(folder, SLOTS_FILE), constants.R_OK);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    const why = codeOf(error) === 'EACCES' ? ` by this user: ${asRoot}` : `: ${systemErrorInWords(error)}`;
    throw new Error(`${folder} cannot be read${why}`, { cause: error });
  }
};

/** Of a folder that is not there yet: where it would be made. */
const nearestThere = (folder: string): string =>
  existsSync(folder) || dirname(folder) === folder ? folder : nearestThere(dirname(folder));

/** Asked beforehand: on a disk that is read-only a folder is refused as if its parent were missing. */
export const requireWritable = (folder: string, asRoot: string): void => {
  try {
    accessSync(nearestThere(folder), constants.W_OK | constants.X_OK);
  } catch (error) {
    const why = codeOf(error) === 'EACCES' ? ` by this user: ${asRoot}` : `: ${systemErrorInWords(error)}`;
    throw new Error(`${folder} cannot be written${why}`, { cause: error });
  }
};
