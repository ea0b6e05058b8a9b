import { type Finding, speaker } from './finding.ts';
import { groupsOf } from './groups.ts';
import type { Inventory } from './inventory.ts';
import type { Machine } from './machine.ts';

const LEAST_NODE = 24;
const LEAST_FREE = 200 * 1024 * 1024;
const WORN_PERCENT = 80;

const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`;

const judgeRuntime = (machine: Machine): readonly Finding[] => {
  const { ok, note, bad } = speaker('runtime');
  const major = Number.parseInt(machine.nodeVersion, 10);
  const groups = groupsOf(machine);
  return [
    major >= LEAST_NODE
      ? ok(`Node ${machine.nodeVersion} on ${machine.arch}`)
      : bad(`Node ${machine.nodeVersion} is too old`, 'npm ci, then npx lintel: the project brings its own Node'),
    ...(['x64', 'arm64'].includes(machine.arch)
      ? []
      : [bad(`${machine.arch} is not supported: the native parts are made for 64 bits`, 'install a 64-bit system')]),
    machine.user.uid === 0
      ? note('runs as root; a user of its own with the groups dialout, gpio, input is enough')
      : ok(`user ${machine.user.name}, groups ${groups.length === 0 ? 'none' : groups.join(', ')}`),
  ];
};

const judgeClock = ({ clock }: Inventory): readonly Finding[] => {
  const { ok, note } = speaker('clock');
  const rtcs = clock.rtcs.length === 0 ? null : clock.rtcs.join(', ');
  return [
    clock.isSynchronized
      ? ok('set by a time server')
      : note(
          'not set by a time server: time-limited permissions wait for the bridge or a time server',
          'timedatectl set-ntp true, and let UDP port 123 out',
        ),
    rtcs === null
      ? note('no clock with a battery: after a power cut without a line the time is not trusted')
      : ok(`clock with a battery: ${rtcs} (say "real_time_clock": true in the profile when its battery is fitted)`),
    ...(clock.buses.length === 0 ? [] : [ok(`I2C: ${clock.buses.join(', ')}`)]),
  ];
};

const judgeDisk = ({ disk }: Inventory): readonly Finding[] => {
  const { ok, note, bad } = speaker('disk');
  const { folder, space, isReadOnly, wear_percent } = disk;
  const findings: Finding[] = [];
  if (isReadOnly)
    findings.push(
      bad(
        `${folder} is read-only: a card that fails turns itself so`,
        'replace the card, or sudo mount -o remount,rw /',
      ),
    );
  if (space === null) findings.push(note(`${folder}: how much room is left is not known`));
  else if (space.free_bytes < LEAST_FREE)
    findings.push(
      bad(
        `${folder} has ${megabytes(space.free_bytes)} left`,
        'remove what is not needed: sudo apt clean, sudo journalctl --vacuum-size=50M',
      ),
    );
  else findings.push(ok(`${folder} has ${megabytes(space.free_bytes)} of ${megabytes(space.total_bytes)} left`));
  if (wear_percent !== null)
    findings.push(
      wear_percent >= WORN_PERCENT
        ? bad(`${wear_percent} % of the flash's life is used`, 'replace the card before it fails')
        : ok(`${wear_percent} % of the flash's life is used`),
    );
  return findings;
};

const judgeClaim = (machine: Machine, { claim: { trouble } }: Inventory, dataDir: string): readonly Finding[] => {
  if (trouble === null) return [];
  const { bad } = speaker('disk');
  if (trouble.kind === 'damaged') return [bad(trouble.text, `npx lintel enroll --data ${dataDir} with a new code`)];
  const again = `sudo npx lintel doctor --data ${dataDir}`;
  return [bad(trouble.text, machine.user.uid === 0 ? `ls -ld ${dataDir}: is it the folder of a controller?` : again)];
};

const judgeNetwork = ({ network, claim }: Inventory): readonly Finding[] => {
  const { ok, note, bad } = speaker('network');
  const { addresses, hasRoute, nameServers, bridge } = network;
  const findings: Finding[] = [
    addresses.length === 0
      ? note(
          'no address: the door works, but nothing from the desk reaches it',
          'plug in the cable, or sudo nmcli device wifi connect NAME',
        )
      : ok(addresses.join(', ')),
  ];
  if (addresses.length > 0 && !hasRoute)
    findings.push(note('no way out of the local network', 'ip route; is there a router?'));
  if (addresses.length > 0 && nameServers.length === 0)
    findings.push(note('no name server', 'resolvectl status; the router should hand one out'));
  if (bridge === null) {
    if (claim.trouble === null) findings.push(note('not claimed yet, so there is no bridge to reach'));
  } else if (bridge.trouble === null) findings.push(ok(`the bridge answers: ${bridge.url}`));
  else
    findings.push(
      bad(
        `the bridge ${bridge.url} cannot be reached: ${bridge.trouble}`,
        'is the line up, and does a firewall let it out?',
      ),
    );
  return findings;
};

/** What is to be said of the machine, whatever hangs on it. */
export const judgeMachine = (machine: Machine, inventory: Inventory, dataDir: string): readonly Finding[] => [
  ...judgeRuntime(machine),
  ...judgeClock(inventory),
  ...judgeDisk(inventory),
  ...judgeClaim(machine, inventory, dataDir),
  ...judgeNetwork(inventory),
];
