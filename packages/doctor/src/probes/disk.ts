import { dirname } from 'node:path';
import type { DiskSpace, HostSystem } from '../host-system.ts';

export interface DiskProbeResult {
  readonly folder: string;
  readonly space: DiskSpace | null;
  readonly isReadOnly: boolean;
  /** Used lifetime of the flash, rounded up; null when it is not reported. */
  readonly wear_percent: number | null;
}

/** The folder itself, or its nearest existing parent. */
const nearest = (machine: HostSystem, folder: string): string =>
  machine.resolve(folder) ?? (dirname(folder) === folder ? folder : nearest(machine, dirname(folder)));

const isReadOnly = (machine: HostSystem, folder: string): boolean => {
  const mounts = (machine.read('/proc/mounts') ?? '').split('\n').map(line => line.split(' '));
  const above = mounts.filter(([, at = '']) => folder === at || folder.startsWith(at === '/' ? '/' : `${at}/`));
  const [, , , options = ''] = above.sort(([, a = ''], [, b = '']) => b.length - a.length)[0] ?? [];
  return options.split(',').includes('ro');
};

/** eMMC wear, such as `0x01 0x02`: used lifetime in steps of 10 %, for memory types A and B. */
const wearOf = (machine: HostSystem): number | null => {
  const life = machine
    .list('/sys/block')
    .filter(name => /^mmcblk\d+$/.test(name))
    .flatMap(name => (machine.read(`/sys/block/${name}/device/life_time`) ?? '').split(' '))
    .map(text => Number.parseInt(text, 16))
    .filter(tenths => tenths > 0 && tenths <= 11);
  return life.length === 0 ? null : Math.min(100, Math.max(...life) * 10);
};

export const probeDisk = (machine: HostSystem, dataDir: string): DiskProbeResult => {
  const folder = nearest(machine, dataDir);
  return {
    folder,
    space: machine.space(folder),
    isReadOnly: isReadOnly(machine, folder),
    wear_percent: wearOf(machine),
  };
};
