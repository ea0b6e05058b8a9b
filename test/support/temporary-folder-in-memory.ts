import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const MEMORY_DISK = '/dev/shm';
const NEEDED_BYTES = 8 * 2 ** 30;

const hasRoomInMemory = (): boolean => {
  try {
    accessSync(MEMORY_DISK, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY_DISK);
    return bavail * bsize >= NEEDED_BYTES;
  } catch {
    return false;
  }
};

/**
 * Gives the run a temporary folder in memory, if there is room: tests start hundreds of databases, and each waits for
 * the disk at every commit. The folder of a failed run is kept. A TMPDIR that is set is used instead.
 */
export const useTemporaryFolderInMemory = (): void => {
  if (process.env['TMPDIR'] !== undefined || !hasRoomInMemory()) return;
  const folder = mkdtempSync(join(MEMORY_DISK, 'lintel-tests-'));
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o711);
  process.env['TMPDIR'] = folder;
  process.once('exit', code => {
    if (code === 0) rmSync(folder, { recursive: true, force: true });
    else process.stdout.write(`Files of this run: ${folder}\n`);
  });
};
