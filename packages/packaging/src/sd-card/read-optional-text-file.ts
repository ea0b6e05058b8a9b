import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getErrorCode } from '@lintel/service/error-code';
import { SdCardPreparationError } from './sd-card-preparation-error.ts';

/** Null when there is no such file. */
export const readOptionalTextFile = (folder: string, name: string): string | null => {
  try {
    return readFileSync(join(folder, name), 'utf8');
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return null;
    throw new SdCardPreparationError(`${join(folder, name)} cannot be read: ${(error as Error).message}`);
  }
};
