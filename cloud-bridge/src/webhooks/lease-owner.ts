import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/** Names this process among all that may share the database. */
export const newLeaseOwner = (): string => `${hostname()}/${process.pid}/${randomUUID()}`;

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
};

/** True only for what was a process of this very machine; of others nothing can be known from here. */
export const isDeadOwner = (owner: string): boolean => {
  const [host, pid] = owner.split('/');
  return host === hostname() && !isRunning(Number(pid));
};
