import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { getErrorCode } from '@lintel/service/error-code';

/** Identifies this process among all that share the database. */
export const createLeaseOwnerId = (): string => `${hostname()}/${process.pid}/${randomUUID()}`;

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return getErrorCode(error) !== 'ESRCH';
  }
};

/** True only for a process of this machine that has ended. Processes of other machines cannot be checked. */
export const hasLeaseOwnerEnded = (owner: string): boolean => {
  const [host, pid] = owner.split('/');
  return host === hostname() && !isRunning(Number(pid));
};
