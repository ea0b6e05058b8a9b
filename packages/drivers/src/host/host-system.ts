import { accessSync, constants, readdirSync, readFileSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces, userInfo } from 'node:os';

export type DeviceFileAccess = 'yes' | 'denied' | 'absent';

export interface DiskSpace {
  readonly free_bytes: number;
  readonly total_bytes: number;
}

/** Identifies a device in the kernel. */
export interface DeviceNumber {
  readonly major: number;
  readonly minor: number;
}

/** Access to the operating system. Never throws: unknown values are empty or null. */
export interface HostSystem {
  readonly arch: string;
  readonly nodeVersion: string;
  readonly user: { readonly name: string; readonly uid: number };
  list(folder: string): readonly string[];
  read(file: string): string | null;
  resolve(path: string): string | null;
  /** Whether this user can read and write the path. */
  access(path: string): DeviceFileAccess;
  /** The id of the group that owns the path. */
  groupOf(path: string): number | null;
  /** Null for anything but a character device. */
  characterDevice(path: string): DeviceNumber | null;
  space(folder: string): DiskSpace | null;
  addresses(): readonly string[];
  /** Null when the port accepts connections, otherwise the reason. */
  reach(host: string, port: number): Promise<string | null>;
}

const REACH_MS = 3_000;

const valueOrNull = <T>(read: () => T): T | null => {
  try {
    return read();
  } catch {
    return null;
  }
};

const accessTo = (path: string): DeviceFileAccess => {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return 'yes';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'EACCES' || code === 'EPERM' || code === 'EROFS' ? 'denied' : 'absent';
  }
};

const characterDevice = (path: string): DeviceNumber | null => {
  const stat = statSync(path);
  if (!stat.isCharacterDevice()) return null;
  const { rdev } = stat;
  return { major: (rdev >> 8) & 0xfff, minor: (rdev & 0xff) | ((rdev >> 12) & 0xfff00) };
};

const reach = (host: string, port: number): Promise<string | null> =>
  new Promise(resolve => {
    const socket = connect({ host, port, timeout: REACH_MS });
    const end = (problem: string | null): void => {
      socket.destroy();
      resolve(problem);
    };
    socket.once('connect', () => end(null));
    socket.once('timeout', () => end('no answer'));
    socket.once('error', error => end(error.message));
  });

export const createLocalHostSystem = (): HostSystem => ({
  arch: process.arch,
  nodeVersion: process.versions.node,
  user: valueOrNull(() => ({ name: userInfo().username, uid: userInfo().uid })) ?? { name: 'unknown', uid: -1 },
  list: folder => valueOrNull(() => readdirSync(folder)) ?? [],
  read: file => valueOrNull(() => readFileSync(file, 'utf8').trim()),
  resolve: path => valueOrNull(() => realpathSync(path)),
  access: accessTo,
  groupOf: path => valueOrNull(() => statSync(path).gid),
  characterDevice: path => valueOrNull(() => characterDevice(path)),
  space: folder =>
    valueOrNull(() => {
      const { bavail, blocks, bsize } = statfsSync(folder);
      return { free_bytes: bavail * bsize, total_bytes: blocks * bsize };
    }),
  addresses: () =>
    Object.entries(networkInterfaces()).flatMap(([name, list]) =>
      (list ?? []).filter(({ internal }) => !internal).map(({ address }) => `${name} ${address}`),
    ),
  reach,
});
