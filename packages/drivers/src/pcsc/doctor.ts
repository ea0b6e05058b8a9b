import { setTimeout } from 'node:timers/promises';
import { createFindingFactory, type DoctorCheck, type DoctorFinding, type Probe } from '../host/finding.ts';
import type { HostSystem } from '../host/host-system.ts';
import { isChosenPcscReader, PcscTimeoutError, type PcscReaderUsbPortAndSerial } from './session.ts';

interface PcscProblem {
  readonly text: string;
  /** The service runs but does not respond. */
  readonly isHanging: boolean;
}

interface FoundPcscReader {
  readonly name: string;
  /** Null if the reader is not on USB or does not tell where. */
  readonly place: PcscReaderUsbPortAndSerial | null;
}

export interface SmartCardReaderProbeResult {
  readonly isInstalled: boolean;
  readonly readers: readonly FoundPcscReader[];
  /** Null when the service responds. */
  readonly problem: PcscProblem | null;
  /** An ACR122U is connected, and a kernel driver blocks it. */
  readonly isTakenByKernel: boolean;
  readonly isAcr122Plugged: boolean;
}

const ACR122 = '072f:2200';
const CONFLICTING_DRIVERS = ['pn533_usb', 'pn533'];
/** Time for the service to report its readers. */
const LISTING_MS = 1_000;

const isPlugged = (machine: HostSystem, usb: string): boolean =>
  machine.list('/sys/bus/usb/devices').some(name => {
    const folder = `/sys/bus/usb/devices/${name}`;
    return `${machine.read(`${folder}/idVendor`)}:${machine.read(`${folder}/idProduct`)}` === usb;
  });

const loadedModules = (machine: HostSystem): readonly string[] =>
  (machine.read('/proc/modules') ?? '').split('\n').map(line => line.split(' ')[0] ?? '');

export type ListPcscReaders = () => Promise<readonly FoundPcscReader[]>;

/** Rejects when the service does not run or hangs. */
const listReaders: ListPcscReaders = async () => {
  const [{ PcscProcessService }, { ProcessClock }] = await Promise.all([
    import('./service.ts'),
    import('@lintel/service/timing/process-monotonic-clock'),
  ]);
  const service = new PcscProcessService(new ProcessClock());
  const readers = new Set<string>();
  try {
    const session = await service.open({
      changed: reader => void readers.add(reader),
      mute: () => undefined,
      unplugged: reader => void readers.delete(reader),
      ended: () => undefined,
    });
    await setTimeout(LISTING_MS);
    const located = async (name: string): Promise<FoundPcscReader> => ({
      name,
      place: await session.locate(name).catch(() => null),
    });
    return await Promise.all([...readers].map(located));
  } finally {
    service.close();
  }
};

const problemOf = (error: Error): PcscProblem => {
  if (error instanceof PcscTimeoutError)
    return { text: 'The PC/SC service runs but does not respond', isHanging: true };
  const [first = ''] = error.message.split('\n', 1);
  const text = first.includes('NoService')
    ? 'The PC/SC service is not running'
    : `The PC/SC service does not respond: ${first}`;
  return { text, isHanging: false };
};

export const probeSmartCardReaders = async (
  machine: HostSystem,
  list: ListPcscReaders = listReaders,
): Promise<SmartCardReaderProbeResult> => {
  const isInstalled = ['/usr/sbin/pcscd', '/usr/bin/pcscd'].some(path => machine.resolve(path) !== null);
  const isAcr122Plugged = isPlugged(machine, ACR122);
  const modules = loadedModules(machine);
  const isTakenByKernel = isAcr122Plugged && CONFLICTING_DRIVERS.some(name => modules.includes(name));
  try {
    return { isInstalled, readers: await list(), problem: null, isTakenByKernel, isAcr122Plugged };
  } catch (error) {
    const problem = problemOf(error as Error);
    return { isInstalled, readers: [], problem, isTakenByKernel, isAcr122Plugged };
  }
};

const BLACKLIST =
  'echo "blacklist pn533_usb" | sudo tee /etc/modprobe.d/lintel-nfc.conf && sudo modprobe -r pn533_usb, then plug the reader in again';

const describePlace = ({ usb_path, serial }: PcscReaderUsbPortAndSerial): string =>
  `usb_path ${usb_path}${serial === null ? '' : `, serial ${serial}`}`;

const list = ({
  isInstalled,
  readers,
  problem,
  isTakenByKernel,
}: SmartCardReaderProbeResult): readonly DoctorFinding[] => {
  const { ok, note, bad } = createFindingFactory('pcsc');
  return [
    ...(isTakenByKernel ? [bad("The kernel's pn533 driver blocks the ACR122U", BLACKLIST)] : []),
    ...(problem === null ? [] : [note(problem.text, describePcscFix(isInstalled, problem))]),
    ...readers.map(({ name, place }) => ok(place === null ? name : `${name}, ${describePlace(place)}`)),
    ...(problem === null && readers.length === 0
      ? [note('The PC/SC service is running, but no reader is connected')]
      : []),
  ];
};

const describePcscFix = (isInstalled: boolean, { isHanging }: PcscProblem): string => {
  if (isHanging) return 'sudo systemctl restart pcscd';
  return isInstalled ? 'sudo systemctl enable --now pcscd.socket' : 'sudo apt install pcscd libccid';
};

export const pcscReaders: Probe<SmartCardReaderProbeResult> = {
  find: machine => probeSmartCardReaders(machine),
  list,
};

interface WantedReader {
  readonly model?: string | undefined;
  readonly usb_path?: string | undefined;
  readonly serial?: string | undefined;
  readonly assign?: 'by_tap' | undefined;
  readonly wire?: string | undefined;
}

export const checkPcscReaders = (
  wanted: Readonly<Record<string, WantedReader>>,
  { found: foundBy }: DoctorCheck,
): readonly DoctorFinding[] => {
  const { ok, note, bad } = createFindingFactory('profile');
  const { readers, problem, isInstalled, isAcr122Plugged } = foundBy(pcscReaders);
  if (problem !== null) return [bad(problem.text, describePcscFix(isInstalled, problem))];
  return Object.entries(wanted).map(([name, choice]) => {
    const { model, usb_path, serial, wire, assign } = choice;
    if (assign !== undefined)
      return readers.length >= Object.keys(wanted).length
        ? note(`${name}: is assigned on the tests page of the controller`)
        : bad(
            `${name}: ${readers.length} of ${Object.keys(wanted).length} PC/SC readers are connected`,
            `Plug in ${wire ?? 'the reader'}`,
          );
    const found = readers.find(reader => isChosenPcscReader(choice, reader.name, reader.place));
    if (found !== undefined) return ok(`${name}: ${found.name}`);
    const fix = isAcr122Plugged
      ? 'It is plugged in but not listed. Unplug it, plug it in again, then run sudo systemctl restart pcscd'
      : `Plug in ${wire ?? 'the reader'}. lsusb lists USB devices`;
    const named = [model, serial, usb_path === undefined ? undefined : `at USB port ${usb_path}`];
    return bad([`${name}: no PC/SC reader`, ...named.filter(text => text !== undefined)].join(' '), fix);
  });
};
