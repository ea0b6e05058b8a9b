import { Socket } from 'node:net';

/**
 * Preloaded into each process of the demo. File descriptor 3 is a pipe whose other end the parent process holds and never
 * writes to. When the parent ends for any reason, the pipe closes, and this process ends too.
 */
const PARENT_FD = 3;
const KILL_AFTER_MS = 3000;

const parent = new Socket({ fd: PARENT_FD, readable: true, writable: false });

const end = (): void => {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), KILL_AFTER_MS).unref();
};

parent.on('end', end);
parent.on('error', end);
parent.resume();
parent.unref();
