import { closeSync, constants, openSync, readdirSync, readSync } from 'node:fs';
import { getErrorCode } from '../error-code.ts';
import type { DeviceSystemCalls } from './device-system-calls-interface.ts';
import { loadLibcCalls } from './libc.ts';
import { ReadPoller } from './read-poller.ts';

let shared: ReadPoller | undefined;

const readiness = (): ReadPoller => {
  shared ??= new ReadPoller(loadLibcCalls());
  return shared;
};

const list = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

const read = (fd: number, into: Uint8Array): number => {
  try {
    return readSync(fd, into);
  } catch (error) {
    if (getErrorCode(error) === 'EAGAIN') return 0;
    throw error;
  }
};

export const linuxSystemCalls: DeviceSystemCalls = {
  list,
  open: path => openSync(path, constants.O_RDWR | constants.O_NONBLOCK),
  ioctl: (fd, request, argument) => loadLibcCalls().ioctl(fd, request, argument),
  unblock: fd => loadLibcCalls().setNonBlocking(fd),
  read,
  watch: (fd, ready) => readiness().watch(fd, ready),
  close: closeSync,
};
