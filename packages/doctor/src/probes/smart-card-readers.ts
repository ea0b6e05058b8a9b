import { setTimeout } from 'node:timers/promises';
import { ProcessClock } from '@lintel/service/timing/process-monotonic-clock';
import { PcscProcessService } from '@lintel/drivers/readers/pcsc/pcsc-process-service';
import type { PcscReaderUsbPortAndSerial } from '@lintel/drivers/readers/pcsc/pcsc-reader-usb-identity';
import { PcscTimeoutError } from '@lintel/drivers/readers/pcsc/pcsc-session-and-service-interfaces';
import type { HostSystem } from '../host-system.ts';

export interface PcscProblem {
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
