import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { getErrorCode } from '@lintel/service/error-code';

const run = promisify(execFile);

/** Command prefix that starts a process with a full disk. */
export const fullDiskCommandPrefix = ['prlimit', '--fsize=0:'] as const;

/**
 * Simulates a full disk for one process: the kernel rejects all writes to files, with EFBIG instead of ENOSPC. Sockets and
 * pipes still work. Only the soft limit is lowered, so that it can be raised again without privileges.
 */
export const setSimulatedDiskFull = async (pid: number, isFull: boolean): Promise<void> => {
  try {
    await run('prlimit', ['--pid', String(pid), isFull ? '--fsize=0:' : '--fsize=unlimited:']);
  } catch (error) {
    const isMissing = getErrorCode(error) === 'ENOENT';
    throw new Error(
      isMissing ? 'A full disk can be simulated only on Linux with prlimit (package util-linux)' : 'prlimit failed',
      { cause: error },
    );
  }
};
