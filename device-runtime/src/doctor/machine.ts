import { accessSync, constants, readdirSync, readFileSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces, userInfo } from 'node:os';

export type Access = 'yes' | 'denied' | 'absent';

export interface DiskSpace {
  readonly free_bytes: number;
  readonly total_bytes: number;
}

/** What the kernel knows a device by. */
export interface DeviceNumber {
  readonly major: number;
  readonly minor: number;
}

/** What the doctor asks of the operating system. Nothing throws: what cannot be known is empty or null. */
export interface Machine {
  readonly arch: string;
  readonly nodeVersion: string;
  readonly user: { readonly name: string; readonly uid: number };
  list(folder: string): readonly string[];
  read(file: string): string | null;
  resolve(path: string): string | null;
  /** Whether this user may read and write it. */
  access(path: string): Access;
  /** The number of the group that it belongs to. */
  groupOf(path: string): number | null;
  /** Null for everything that is no character device. */
  characterDevice(path: string): DeviceNumber | null;
  space(folder: string): DiskSpace | null;
  addresses(): readonly string[];
  /** Null when somebody answers there, otherwise why nobody does. */
  reach(host: string, port: number): Promise<string | null>;
}

const REACH_MS = 3_000;

const known = <T>(look: () => T): T | null => {
  try {
    return look();
  } catch {
    return null;
  }
};

const accessTo = (path: string): Access => {
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

export const thisMachine = (): Machine => ({
  arch: process.arch,
  nodeVersion: process.versions.node,
  user: known(() => ({ name: userInfo().username, uid: userInfo().uid })) ?? { name: 'unknown', uid: -1 },
  list: folder => known(() => readdirSync(folder)) ?? [],
  read: file => known(() => readFileSync(file, 'utf8').trim()),
  resolve: path => known(() => realpathSync(path)),
  access: accessTo,
  groupOf: path => known(() => statSync(path).gid),
  characterDevice: path => known(() => characterDevice(path)),
  space: folder =>
    known(() => {
      const { bavail, blocks, bsize } = statfsSync(folder);
      return { free_bytes: bavail * bsize, total_bytes: blocks * bsize };
    }),
  addresses: () =>
    Object.entries(networkInterfaces()).flatMap(([name, list]) =>
      (list ?? []).filter(({ internal }) => !internal).map(({ address }) => `${name} ${address}`),
    ),
  reach,
});
