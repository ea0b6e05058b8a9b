import type { HostSystem } from './host-system.ts';

/** `bad`: the door does not work correctly until this is fixed. `note`: worth knowing. */
export interface DoctorFinding {
  readonly area: 'runtime' | 'serial' | 'pcsc' | 'gpio' | 'input' | 'clock' | 'disk' | 'network' | 'profile';
  readonly level: 'ok' | 'note' | 'bad';
  readonly text: string;
  /** The command to run or the wire to move. */
  readonly fix?: string;
}

type CreateFinding = (text: string, fix?: string) => DoctorFinding;

/** Creates findings of one area. */
export const createFindingFactory = (
  area: DoctorFinding['area'],
): Readonly<Record<DoctorFinding['level'], CreateFinding>> => {
  const at =
    (level: DoctorFinding['level']): CreateFinding =>
    (text, fix) => ({ area, level, text, ...(fix === undefined ? {} : { fix }) });
  return { ok: at('ok'), note: at('note'), bad: at('bad') };
};

/** Finds out once for each examination what is connected in one way, such as all serial ports. */
export interface Probe<T = unknown> {
  find(machine: HostSystem): T | Promise<T>;
  /** What is connected, whether or not a profile uses it. */
  list(found: T, machine: HostSystem): readonly DoctorFinding[];
}

/** Compares the settings of a bus with the machine. */
export interface DoctorCheck {
  /** The name of the bus in the profile. */
  readonly name: string;
  readonly machine: HostSystem;
  /** The result of a probe that the driver names. */
  readonly found: <T>(probe: Probe<T>) => T;
}

/** Does not communicate with the connected part. */
export const describeUsablePort = (name: string, path: string): string =>
  `${name}: the port ${path} exists and can be opened`;

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
