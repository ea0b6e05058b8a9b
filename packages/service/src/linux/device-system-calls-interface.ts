/** Linux system calls for device files. All throw errors with a `code` such as ENODEV. */
export interface DeviceSystemCalls {
  /** The names in a folder; empty when it does not exist. */
  list(folder: string): readonly string[];
  /** Opens for non-blocking reading and writing. */
  open(path: string): number;
  ioctl(fd: number, request: number, argument: Uint8Array | number): void;
  /** Makes a descriptor from an ioctl non-blocking. */
  unblock(fd: number): void;
  /** The number of bytes read; 0 when none are available. */
  read(fd: number, into: Uint8Array): number;
  /** Calls `ready` when data is available or the device is removed, until the returned function is called. */
  watch(fd: number, ready: () => void): () => void;
  close(fd: number): void;
}
