import { createWriteStream, mkdirSync, readdirSync, rmSync, type WriteStream } from 'node:fs';
import { dirname, join } from 'node:path';
import { getErrorCode } from '@lintel/service/error-code';

const PREFIX = 'backup-work-';

const isRunning = (pid: number): boolean => {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return getErrorCode(error) === 'EPERM';
  }
};

export const isBackupWorkFolder = (name: string): boolean => name.startsWith(PREFIX);

/** Deletes what interrupted processes left behind, because it contains a copy of the database. */
const deleteAbandoned = (dataDir: string): void => {
  for (const name of readdirSync(dataDir).filter(isBackupWorkFolder))
    if (!isRunning(Number(name.slice(PREFIX.length)))) rmSync(join(dataDir, name), { recursive: true, force: true });
};

/** Calls `work` with a private folder on the disk of the data folder, and deletes it afterwards. */
export const withBackupWorkFolder = async <T>(dataDir: string, work: (folder: string) => Promise<T>): Promise<T> => {
  deleteAbandoned(dataDir);
  const folder = join(dataDir, `${PREFIX}${process.pid}`);
  mkdirSync(folder, { mode: 0o700 });
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Creates the file and the folders above it, private to their owner. */
export const createPrivateFileStream = (file: string): WriteStream => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  return createWriteStream(file, { mode: 0o600, flush: true });
};
