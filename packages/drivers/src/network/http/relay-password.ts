import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const OTHERS = 0o077;
const MOST_BYTES = 512;

/** The password of a relay, in a file of the data folder that only the owner can read. Throws if it is missing. */
export const readRelayPassword = (dataDir: string, bus: string): string => {
  const path = join(dataDir, `relay-${bus}.password`);
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined) throw new Error(`${path} is missing: write the password of the relay into it`);
  if ((status.mode & OTHERS) !== 0) throw new Error(`${path} is readable by others: chmod 600 ${path}`);
  if (!status.isFile() || status.size > MOST_BYTES) throw new Error(`${path} is not a file with a password`);
  const password = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  if (password === '' || /[\r\n]/.test(password)) throw new Error(`${path} must contain one line with the password`);
  return password;
};
