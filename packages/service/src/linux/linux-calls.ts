import { closeSync, constants, openSync, readdirSync, readSync } from 'node:fs';
import { type DeviceCalls, errorCode } from './device-calls.ts';
import { libc } from './libc.ts';
import { Readiness } from './readiness.ts';

let shared: Readiness | undefined;

const readiness = (): Readiness => {
  shared ??= new Readiness(libc());
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
    if (errorCode(error) === 'EAGAIN') return 0;
    throw error;
  }
};

export const linuxCalls: DeviceCalls = {
  list,
  open: path => openSync(path, constants.O_RDWR | constants.O_NONBLOCK),
  ioctl: (fd, request, argument) => libc().ioctl(fd, request, argument),
  unblock: fd => libc().setNonBlocking(fd),
  read,
  watch: (fd, ready) => readiness().watch(fd, ready),
  close: closeSync,
};
