import { EnrollmentFile } from '@lintel/device-link/identity/device-enrollment';
import { createSystemTime } from '@lintel/service/linux/system-time';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type DoctorFinding, createFindingFactory, listOperatingSystemGroups } from './finding.ts';
import type { HostSystem, DiskSpace } from './host-system.ts';

/** The bridge that the controller is claimed at. */
interface ClaimedBridgeProbeResult {
  /** Null when it is not claimed, or unknown. */
  readonly bridge_url: string | null;
  /** When another controller took the place of this one. */
  readonly replaced_at: number | null;
  /** Why it is unknown. */
  readonly problem: { readonly kind: 'unreadable' | 'damaged'; readonly text: string } | null;
}

/** As the running controller saved it, for this certificate. */
const readReplacementTime = (dataDir: string, serial: string): number | null => {
  try {
    const saved = JSON.parse(readFileSync(join(dataDir, 'state/replaced.json'), 'utf8')) as {
      readonly serial?: unknown;
      readonly replaced_at?: unknown;
    } | null;
    return saved?.serial === serial && Number.isSafeInteger(saved.replaced_at) ? (saved.replaced_at as number) : null;
  } catch {
    return null;
  }
};

export const probeClaim = (dataDir: string): ClaimedBridgeProbeResult => {
  const read = new EnrollmentFile(dataDir).read();
  if (read.ok) {
    const bridge_url = read.value?.bridge_url ?? null;
    return { bridge_url, replaced_at: read.value && readReplacementTime(dataDir, read.value.serial), problem: null };
  }
  const [first] = read.problems;
  const problem =
    first?.code === 'damaged_membership'
      ? ({ kind: 'damaged', text: first.message } as const)
      : ({ kind: 'unreadable', text: `${dataDir} cannot be read, so the claim is unknown` } as const);
  return { bridge_url: null, replaced_at: null, problem };
};

interface ClockProbeResult {
  readonly isSynchronized: boolean;
  /** The names of battery-backed clocks. */
  readonly rtcs: readonly string[];
  readonly buses: readonly string[];
}

export const probeClock = (machine: HostSystem): ClockProbeResult => ({
  isSynchronized: createSystemTime({ fileExists: path => machine.resolve(path) !== null }).isSynchronized(),
  rtcs: machine.list('/sys/class/rtc').map(rtc => machine.read(`/sys/class/rtc/${rtc}/name`) ?? rtc),
  buses: machine.list('/dev').filter(name => /^i2c-\d+$/.test(name)),
});

interface DiskProbeResult {
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

interface NetworkProbeResult {
  readonly addresses: readonly string[];
  readonly hasRoute: boolean;
  readonly nameServers: readonly string[];
  /** The bridge and why it cannot be reached; null when the controller is not claimed. */
  readonly bridge: { readonly url: string; readonly problem: string | null } | null;
}

const hasDefaultRoute = (machine: HostSystem): boolean => {
  const routes = (machine.read('/proc/net/route') ?? '').split('\n').slice(1);
  const routes6 = (machine.read('/proc/net/ipv6_route') ?? '').split('\n');
  return (
    routes.some(line => line.split(/\s+/)[1] === '00000000') ||
    routes6.some(line => /^0{32} 00 /.test(line) && !/\blo$/.test(line))
  );
};

const nameServersOf = (machine: HostSystem): readonly string[] =>
  [...(machine.read('/etc/resolv.conf') ?? '').matchAll(/^nameserver\s+(\S+)/gm)].map(([, server]) => server ?? '');

const connectionProblem = async (machine: HostSystem, url: string): Promise<string | null> => {
  if (!URL.canParse(url)) return 'its URL is invalid';
  const { hostname, port, protocol } = new URL(url);
  return machine.reach(
    hostname.replace(/^\[|\]$/g, ''),
    port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
  );
};

export const probeNetwork = async (machine: HostSystem, bridgeUrl: string | null): Promise<NetworkProbeResult> => ({
  addresses: machine.addresses(),
  hasRoute: hasDefaultRoute(machine),
  nameServers: nameServersOf(machine),
  bridge: bridgeUrl === null ? null : { url: bridgeUrl, problem: await connectionProblem(machine, bridgeUrl) },
});

/** The clock, disk, claim and network of the machine. */
export interface HostInventory {
  readonly clock: ClockProbeResult;
  readonly disk: DiskProbeResult;
  readonly claim: ClaimedBridgeProbeResult;
  readonly network: NetworkProbeResult;
}

export const takeHostInventory = async (machine: HostSystem, dataDir: string): Promise<HostInventory> => {
  const claim = probeClaim(dataDir);
  return {
    clock: probeClock(machine),
    disk: probeDisk(machine, dataDir),
    claim,
    network: await probeNetwork(machine, claim.bridge_url),
  };
};

const LEAST_NODE = 24;
const LEAST_FREE = 200 * 1024 * 1024;
const WORN_PERCENT = 80;

const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`;

const checkRuntime = (machine: HostSystem): readonly DoctorFinding[] => {
  const { ok, note, bad } = createFindingFactory('runtime');
  const major = Number.parseInt(machine.nodeVersion, 10);
  const groups = listOperatingSystemGroups(machine);
  return [
    major >= LEAST_NODE
      ? ok(`Node ${machine.nodeVersion} on ${machine.arch}`)
      : bad(`Node ${machine.nodeVersion} is too old`, 'Run npm ci, then npx lintel: the project includes its own Node'),
    ...(['x64', 'arm64'].includes(machine.arch)
      ? []
      : [bad(`${machine.arch} is not supported, only 64-bit systems are`, 'Install a 64-bit system')]),
    machine.user.uid === 0
      ? note('Runs as root. A dedicated user with the groups dialout, gpio and input is enough')
      : ok(`User ${machine.user.name}, groups ${groups.length === 0 ? 'none' : groups.join(', ')}`),
  ];
};

const checkClock = ({ clock }: HostInventory): readonly DoctorFinding[] => {
  const { ok, note } = createFindingFactory('clock');
  const rtcs = clock.rtcs.length === 0 ? null : clock.rtcs.join(', ');
  return [
    clock.isSynchronized
      ? ok('Synchronized with a time server')
      : note(
          'Not synchronized with a time server: time-limited permissions wait for the bridge or a time server',
          'Run timedatectl set-ntp true, and allow outgoing UDP port 123',
        ),
    rtcs === null
      ? note('No battery-backed clock: after a power loss the time is untrusted until the controller is online')
      : ok(`Battery-backed clock: ${rtcs} (set "real_time_clock": true in the profile if its battery is fitted)`),
    ...(clock.buses.length === 0 ? [] : [ok(`I2C: ${clock.buses.join(', ')}`)]),
  ];
};

const checkDisk = ({ disk }: HostInventory): readonly DoctorFinding[] => {
  const { ok, note, bad } = createFindingFactory('disk');
  const { folder, space, isReadOnly, wear_percent } = disk;
  const findings: DoctorFinding[] = [];
  if (isReadOnly)
    findings.push(
      bad(
        `${folder} is read-only, as a failing SD card becomes`,
        'Replace the card, or run sudo mount -o remount,rw /',
      ),
    );
  if (space === null) findings.push(note(`${folder}: free space is unknown`));
  else if (space.free_bytes < LEAST_FREE)
    findings.push(
      bad(
        `${folder} has ${megabytes(space.free_bytes)} left`,
        'Free up space: sudo apt clean, sudo journalctl --vacuum-size=50M',
      ),
    );
  else findings.push(ok(`${folder} has ${megabytes(space.free_bytes)} of ${megabytes(space.total_bytes)} left`));
  if (wear_percent !== null)
    findings.push(
      wear_percent >= WORN_PERCENT
        ? bad(`${wear_percent} % of the flash lifetime is used`, 'Replace the card before it fails')
        : ok(`${wear_percent} % of the flash lifetime is used`),
    );
  return findings;
};

const checkClaim = (
  machine: HostSystem,
  { claim: { problem, replaced_at } }: HostInventory,
  dataDir: string,
): readonly DoctorFinding[] => {
  if (replaced_at !== null) {
    const time = new Date(replaced_at).toISOString().slice(0, 16).replace('T', ' ');
    return [
      createFindingFactory('network').bad(
        `This controller was replaced by another on ${time} UTC. The bridge refuses it`,
        'Switch it off, or claim it again with a ticket for this device',
      ),
    ];
  }
  if (problem === null) return [];
  const { bad } = createFindingFactory('disk');
  if (problem.kind === 'damaged') return [bad(problem.text, `Run npx lintel enroll --data ${dataDir} with a new code`)];
  const asRoot = `sudo npx lintel doctor --data ${dataDir}`;
  return [
    bad(
      problem.text,
      machine.user.uid === 0 ? `Run ls -ld ${dataDir}, and check that it is the folder of a controller` : asRoot,
    ),
  ];
};

const checkNetwork = ({ network, claim }: HostInventory): readonly DoctorFinding[] => {
  const { ok, note, bad } = createFindingFactory('network');
  const { addresses, hasRoute, nameServers, bridge } = network;
  const findings: DoctorFinding[] = [
    addresses.length === 0
      ? note(
          'No network address: the door works, but changes from the bridge do not arrive',
          'Plug in the cable, or run sudo nmcli device wifi connect NAME',
        )
      : ok(addresses.join(', ')),
  ];
  if (addresses.length > 0 && !hasRoute) findings.push(note('No default route', 'Run ip route, and check the router'));
  if (addresses.length > 0 && nameServers.length === 0)
    findings.push(note('No name server', 'Run resolvectl status. The router should provide one'));
  if (bridge === null) {
    if (claim.problem === null) findings.push(note('Not claimed yet, so there is no bridge to connect to'));
  } else if (bridge.problem === null) findings.push(ok(`The bridge responds: ${bridge.url}`));
  else
    findings.push(
      bad(
        `The bridge ${bridge.url} cannot be reached: ${bridge.problem}`,
        'Check the internet connection and the firewall',
      ),
    );
  return findings;
};

/** Checks the machine, independent of connected hardware. */
export const checkHost = (machine: HostSystem, inventory: HostInventory, dataDir: string): readonly DoctorFinding[] => [
  ...checkRuntime(machine),
  ...checkClock(inventory),
  ...checkDisk(inventory),
  ...checkClaim(machine, inventory, dataDir),
  ...checkNetwork(inventory),
];
