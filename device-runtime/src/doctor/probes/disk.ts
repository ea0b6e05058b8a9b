import { dirname } from 'node:path';
import type { DiskSpace, Machine } from '../machine.ts';

export interface FoundDisk {
  readonly folder: string;
  readonly space: DiskSpace | null;
  readonly isReadOnly: boolean;
  /** Of flash that tells: how much of its life is used, at most, in percent. */
  readonly wear_percent: number | null;
}

/** The folder itself, or the nearest one above it that is there. */
const nearest = (machine: Machine, folder: string): string =>
  machine.resolve(folder) ?? (dirname(folder) === folder ? folder : nearest(machine, dirname(folder)));

const isReadOnly = (machine: Machine, folder: string): boolean => {
  const mounts = (machine.read('/proc/mounts') ?? '').split('\n').map(line => line.split(' '));
  const above = mounts.filter(([, at = '']) => folder === at || folder.startsWith(at === '/' ? '/' : `${at}/`));
  const [, , , options = ''] = above.sort(([, a = ''], [, b = '']) => b.length - a.length)[0] ?? [];
  return options.split(',').includes('ro');
};

/** `0x01 0x02`: tenths of the life of two kinds of cells. */
const wearOf = (machine: Machine): number | null => {
  const life = machine
    .list('/sys/block')
    .filter(name => /^mmcblk\d+$/.test(name))
    .flatMap(name => (machine.read(`/sys/block/${name}/device/life_time`) ?? '').split(' '))
    .map(text => Number.parseInt(text, 16))
    .filter(tenths => tenths > 0 && tenths <= 11);
  return life.length === 0 ? null : Math.min(100, Math.max(...life) * 10);
};

export const findDisk = (machine: Machine, dataDir: string): FoundDisk => {
  const folder = nearest(machine, dataDir);
  return {
    folder,
    space: machine.space(folder),
    isReadOnly: isReadOnly(machine, folder),
    wear_percent: wearOf(machine),
  };
};
