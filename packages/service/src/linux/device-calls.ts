/** The few calls of Linux that devices without a library of their own need. All throw errors with a `code` such as ENODEV. */
export interface DeviceCalls {
  /** The names in a folder, none when there is no such folder. */
  list(folder: string): readonly string[];
  /** For reading and writing, without blocking. */
  open(path: string): number;
  ioctl(fd: number, request: number, argument: Uint8Array | number): void;
  /** A descriptor that the kernel handed out does not block from now on. */
  unblock(fd: number): void;
  /** How many bytes there were, 0 when there is nothing to read now. */
  read(fd: number, into: Uint8Array): number;
  /** Calls when there is something to read or the device has gone, until it is stopped. */
  watch(fd: number, ready: () => void): () => void;
  close(fd: number): void;
}

export const errorCode = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : '';
