import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Starts a process whose disk is full from the beginning. */
export const underFullDisk = ['prlimit', '--fsize=0:'] as const;

/**
 * A full disk for one process, and for real: the kernel refuses every byte that it writes to a file from now on, with
 * EFBIG where a full disk says ENOSPC. Sockets and pipes are not files. The soft limit alone is lowered, so that it can
 * be raised again without anybody's permission.
 */
export const limitDisk = async (pid: number, isFull: boolean): Promise<void> => {
  try {
    await run('prlimit', ['--pid', String(pid), isFull ? '--fsize=0:' : '--fsize=unlimited:']);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new Error(
      isMissing ? 'this needs Linux and the command prlimit of util-linux' : 'the system has refused to limit the disk',
      { cause: error },
    );
  }
};
