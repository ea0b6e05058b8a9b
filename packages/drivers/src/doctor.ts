import { type BluetoothSettings, checkBluetooth } from './bluetooth/settings.ts';
import type { Driver } from './definition/define-driver.ts';
import { driverOf, drivers, type HardwareBus } from './drivers.ts';
import { checkHost, type HostInventory, takeHostInventory } from './host/checks.ts';
import type { DoctorFinding, Probe } from './host/finding.ts';
import { createLocalHostSystem, type HostSystem } from './host/host-system.ts';

export { createFindingFactory, type DoctorFinding } from './host/finding.ts';

/** What the doctor needs to know of a profile. */
export interface ProfiledHardware {
  readonly buses: Readonly<Record<string, HardwareBus>>;
  readonly bluetooth?: BluetoothSettings | undefined;
}

const probes: readonly Probe[] = [...new Set(drivers.flatMap((driver: Driver) => driver.probes ?? []))];

/** The results of the probes of all drivers. */
export type FoundHardware = ReadonlyMap<Probe, unknown>;

const findHardware = async (machine: HostSystem): Promise<FoundHardware> =>
  new Map(await Promise.all(probes.map(async probe => [probe, await probe.find(machine)] as const)));

/** Lists the connected hardware. */
export const listHardware = (machine: HostSystem, hardware: FoundHardware): readonly DoctorFinding[] =>
  [...hardware].flatMap(([probe, found]) => probe.list(found, machine));

/** Compares the hardware of a profile with the connected hardware. */
export const checkProfileHardware = (
  { buses, bluetooth }: ProfiledHardware,
  machine: HostSystem,
  hardware: FoundHardware,
): readonly DoctorFinding[] => {
  const found = <T>(probe: Probe<T>): T => {
    if (!hardware.has(probe)) throw new Error('A driver uses a probe that it does not name');
    return hardware.get(probe) as T;
  };
  return [
    ...Object.entries(buses).flatMap(([name, bus]) => driverOf(bus).doctor(bus, { name, machine, found })),
    ...checkBluetooth(bluetooth, machine),
  ];
};

export interface HardwareExamination {
  /** Findings about the machine and the connected hardware. */
  readonly findings: readonly DoctorFinding[];
  readonly checkProfile: (profile: ProfiledHardware) => readonly DoctorFinding[];
}

/** Examines this machine once. */
export const examineHardware = async (dataDir: string): Promise<HardwareExamination> => {
  const machine = createLocalHostSystem();
  const [inventory, hardware]: [HostInventory, FoundHardware] = await Promise.all([
    takeHostInventory(machine, dataDir),
    findHardware(machine),
  ]);
  return {
    findings: [...checkHost(machine, inventory, dataDir), ...listHardware(machine, hardware)],
    checkProfile: profile => checkProfileHardware(profile, machine, hardware),
  };
};

/** How well a product matches the connected hardware. */
export interface ProfileMatch<P> {
  readonly profile: P;
  readonly fits: boolean;
  readonly found: number;
  readonly wanted: number;
  readonly missing: readonly DoctorFinding[];
}

type Buses = Pick<ProfiledHardware, 'buses'>;

const isSimulated = ({ buses }: Buses): boolean => Object.values(buses).some(({ driver }) => driver === 'simulated');

/** Relays in the network cannot be detected, so such a product would match every machine. */
const usesNetwork = ({ buses }: Buses): boolean => Object.values(buses).some(bus => 'allow_network_relay' in bus);

/** By the share of parts found, then by their number. */
const byFit = (a: ProfileMatch<Buses>, b: ProfileMatch<Buses>): number =>
  Number(isSimulated(a.profile)) - Number(isSimulated(b.profile)) ||
  Number(usesNetwork(a.profile)) - Number(usesNetwork(b.profile)) ||
  Number(b.fits) - Number(a.fits) ||
  b.found / b.wanted - a.found / a.wanted ||
  b.found - a.found;

/** Products by how well they match, the best first. Products with relays in the network, then simulated ones, come last. */
export const rankProfiles = <P extends Buses>(
  profiles: readonly P[],
  check: (profile: P) => readonly DoctorFinding[],
): readonly ProfileMatch<P>[] =>
  profiles
    .filter(({ buses }) => Object.keys(buses).length > 0)
    .map(profile => {
      const findings = check(profile);
      const missing = findings.filter(({ level }) => level === 'bad');
      const wanted = findings.length;
      return { profile, fits: missing.length === 0, found: wanted - missing.length, wanted, missing };
    })
    .sort(byFit);
