import { type DoctorFinding, createFindingFactory } from './doctor-finding.ts';
import { listOperatingSystemGroups } from './user-groups-for-device-access.ts';
import type { ControllerInventory } from './controller-inventory.ts';
import type { HostSystem } from './host-system.ts';

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

const checkClock = ({ clock }: ControllerInventory): readonly DoctorFinding[] => {
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

const checkDisk = ({ disk }: ControllerInventory): readonly DoctorFinding[] => {
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
  { claim: { problem, replaced_at } }: ControllerInventory,
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

const checkNetwork = ({ network, claim }: ControllerInventory): readonly DoctorFinding[] => {
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
export const checkHost = (
  machine: HostSystem,
  inventory: ControllerInventory,
  dataDir: string,
): readonly DoctorFinding[] => [
  ...checkRuntime(machine),
  ...checkClock(inventory),
  ...checkDisk(inventory),
  ...checkClaim(machine, inventory, dataDir),
  ...checkNetwork(inventory),
];
