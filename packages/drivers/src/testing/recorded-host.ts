import { dirname } from 'node:path';
import type { FoundHardware } from '../doctor.ts';
import { type DetectedKeyboard, keyboards } from '../evdev/keyboard.ts';
import { type DetectedGpioChip, gpioChips } from '../gpio/doctor.ts';
import type { HostInventory } from '../host/checks.ts';
import type { Probe } from '../host/finding.ts';
import type { DeviceFileAccess, HostSystem } from '../host/host-system.ts';
import { pcscReaders, type SmartCardReaderProbeResult } from '../pcsc/doctor.ts';
import { type DetectedSerialPort, serialPorts } from '../serial-line/doctor.ts';

interface Recording {
  /** File contents by path. Folders follow from the paths. */
  readonly files?: Readonly<Record<string, string>>;
  readonly links?: Readonly<Record<string, string>>;
  readonly denied?: readonly string[];
  readonly groups?: Readonly<Record<string, number>>;
  readonly changes?: Partial<HostSystem>;
}

const etcGroup = 'root:x:0:\ndialout:x:20:door\ngpio:x:993:\ninput:x:105:\ndoor:x:1000:';

/** A machine with recorded contents. */
export const createRecordedHost = ({
  files = {},
  links = {},
  denied = [],
  groups = {},
  changes = {},
}: Recording): HostSystem => {
  const all = { '/etc/group': etcGroup, ...files };
  const paths = [...Object.keys(all), ...Object.keys(links)];
  const isThere = (path: string): boolean => paths.some(one => one === path || one.startsWith(`${path}/`));
  const resolve = (path: string): string | null => {
    const link = Object.keys(links).find(one => path === one || path.startsWith(`${one}/`));
    if (link !== undefined) return `${links[link]}${path.slice(link.length)}`;
    return isThere(path) ? path : null;
  };
  const access = (path: string): DeviceFileAccess => {
    if (denied.includes(path) || denied.includes(links[path] ?? '')) return 'denied';
    return resolve(path) === null ? 'absent' : 'yes';
  };
  return {
    arch: 'arm64',
    nodeVersion: '24.21.0',
    user: { name: 'door', uid: 1000 },
    list: folder => [
      ...new Set(
        paths.filter(path => path.startsWith(`${folder}/`)).map(path => path.slice(folder.length + 1).split('/')[0]!),
      ),
    ],
    read: file => new Map(Object.entries(all)).get(resolve(file) ?? '') ?? null,
    resolve,
    access,
    groupOf: path => groups[path] ?? groups[dirname(path)] ?? null,
    characterDevice: path => (resolve(path)?.startsWith('/dev/tty') === true ? { major: 204, minor: 64 } : null),
    space: () => ({ free_bytes: 4e9, total_bytes: 16e9 }),
    addresses: () => ['eth0 192.0.2.7'],
    reach: async () => null,
    ...changes,
  };
};

/** The clock, disk, claim and network of a healthy machine. */
export const healthyHostInventory: HostInventory = {
  clock: { isSynchronized: true, rtcs: [], buses: [] },
  disk: { folder: '/', space: { free_bytes: 4e9, total_bytes: 16e9 }, isReadOnly: false, wear_percent: null },
  claim: { bridge_url: null, replaced_at: null, problem: null },
  network: { addresses: ['eth0 192.0.2.7'], hasRoute: true, nameServers: ['192.0.2.1'], bridge: null },
};

export const noSmartCards: SmartCardReaderProbeResult = {
  isInstalled: true,
  readers: [],
  problem: null,
  isTakenByKernel: false,
  isAcr122Plugged: false,
};

export interface RecordedHardware {
  readonly serialPorts?: readonly DetectedSerialPort[];
  readonly smartCards?: SmartCardReaderProbeResult;
  readonly gpioChips?: readonly DetectedGpioChip[];
  readonly keyboards?: readonly DetectedKeyboard[];
}

/** What the probes find. Without arguments, no hardware is connected. */
export const recordedHardware = (found: RecordedHardware = {}): FoundHardware =>
  new Map<Probe, unknown>([
    [serialPorts, found.serialPorts ?? []],
    [pcscReaders, found.smartCards ?? noSmartCards],
    [gpioChips, found.gpioChips ?? []],
    [keyboards, found.keyboards ?? []],
  ]);
