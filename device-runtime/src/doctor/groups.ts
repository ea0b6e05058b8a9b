import type { Machine } from './machine.ts';

const groupLines = (machine: Machine): readonly (readonly string[])[] =>
  (machine.read('/etc/group') ?? '').split('\n').map(line => line.split(':'));

/** The groups that the user belongs to by name, besides his own. */
export const groupsOf = (machine: Machine): readonly string[] =>
  groupLines(machine)
    .filter(([, , , members]) => (members ?? '').split(',').includes(machine.user.name))
    .map(([name]) => name ?? '');

const nameOfGroup = (machine: Machine, gid: number | null): string | null =>
  groupLines(machine).find(([, , number]) => number === String(gid))?.[0] ?? null;

/** What to type so that the user may open this device. */
export const accessFix = (machine: Machine, path: string, usual: string): string => {
  const group = nameOfGroup(machine, machine.groupOf(path));
  const wanted = group === null || group === 'root' ? usual : group;
  return `sudo usermod -aG ${wanted} ${machine.user.name}, then log in again (a service: restart it)`;
};
