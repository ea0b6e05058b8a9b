import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type HardwareId, createId, parseId } from '@lintel/access-core/ids';
import { instant } from '@lintel/access-core/instant';
import { getErrorCode } from '@lintel/service/error-code';
import { IdentityError } from './identity-error.ts';
import { writePrivateFile } from '@lintel/service/data-folder/private-file';

const ID_BYTES = 10;

const readIfExists = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return null;
    throw new IdentityError(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
};

export const createRandomHardwareId = (now: number, randomBytes: (count: number) => Uint8Array): HardwareId =>
  createId('hardware', instant(now), randomBytes(ID_BYTES));

/** Created once, here or for the label of a prepared card. Identifies the board to the bridge, independent of its enrollment. Throws an IdentityError. */
export const loadOrCreateHardwareId = (
  dataDir: string,
  now: number,
  randomBytes: (count: number) => Uint8Array,
): HardwareId => {
  const path = join(dataDir, 'identity', 'hardware-id');
  const text = readIfExists(path);
  if (text !== null) {
    const parsed = parseId('hardware', text);
    if (parsed.ok) return parsed.value;
    throw new IdentityError(`${path} is damaged: not a hardware id`);
  }
  const id = createRandomHardwareId(now, randomBytes);
  writePrivateFile(path, `${id}\n`);
  return id;
};
