import { Socket } from 'node:net';

/**
 * Loaded ahead of a part that the demonstration has started. The fourth descriptor is a pipe whose other end the parent
 * holds and never writes to: when the parent is gone, however it went, the pipe ends and so does this process.
 */
const PARENT = 3;
const LAST_MOMENT_MS = 3000;

const parent = new Socket({ fd: PARENT, readable: true, writable: false });

const end = (): void => {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), LAST_MOMENT_MS).unref();
};

parent.on('end', end);
parent.on('error', end);
parent.resume();
parent.unref();
