import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type HardwareId, newId, parseId } from '@lintel/access-core/ids';
import { instant } from '@lintel/access-core/instant';
import { IdentityError } from './identity-error.ts';
import { writePrivately } from '@lintel/service/data-folder/private-file';

const ID_BYTES = 10;

const readIfThere = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new IdentityError(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
};

/** Made once; it names this board to the bridge, whatever device it is the hardware of. Throws an IdentityError. */
export const openHardwareId = (
  dataDir: string,
  now: number,
  randomBytes: (count: number) => Uint8Array,
): HardwareId => {
  const path = join(dataDir, 'identity', 'hardware-id');
  const text = readIfThere(path);
  if (text !== null) {
    const parsed = parseId('hardware', text);
    if (parsed.ok) return parsed.value;
    throw new IdentityError(`${path} is damaged: it is no id of hardware`);
  }
  const made = newId('hardware', instant(now), randomBytes(ID_BYTES));
  writePrivately(path, `${made}\n`);
  return made;
};
