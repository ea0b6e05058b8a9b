import type { HostSystem } from './host-system.ts';

const groupLines = (machine: HostSystem): readonly (readonly string[])[] =>
  (machine.read('/etc/group') ?? '').split('\n').map(line => line.split(':'));

/** The supplementary groups of the user. */
export const listOperatingSystemGroups = (machine: HostSystem): readonly string[] =>
  groupLines(machine)
    .filter(([, , , members]) => (members ?? '').split(',').includes(machine.user.name))
    .map(([name]) => name ?? '');

const nameOfGroup = (machine: HostSystem, gid: number | null): string | null =>
  groupLines(machine).find(([, , number]) => number === String(gid))?.[0] ?? null;

/** The command that gives the user access to this device. */
export const describeDeviceAccessFix = (machine: HostSystem, path: string, usual: string): string => {
  const group = nameOfGroup(machine, machine.groupOf(path));
  const required = group === null || group === 'root' ? usual : group;
  return `sudo usermod -aG ${required} ${machine.user.name}, then log in again (a service: restart it)`;
};
