import { setTimeout } from 'node:timers/promises';
import { ProcessClock } from '@lintel/service/timing/process-clock';
import { PcscProcessService } from '@lintel/drivers/readers/pcsc/pcsc-process-service';
import { PcscTimeoutError } from '@lintel/drivers/readers/pcsc/pcsc-session';
import type { Machine } from '../machine.ts';

export interface PcscTrouble {
  readonly text: string;
  /** It runs, and somebody has to stop it first. */
  readonly hangs: boolean;
}

export interface FoundSmartCards {
  readonly isInstalled: boolean;
  readonly readers: readonly string[];
  /** Why there is no answer from the service; null when there is. */
  readonly trouble: PcscTrouble | null;
  /** A reader of the ACR122U kind is plugged in, and the kernel's own driver has taken it. */
  readonly isStolen: boolean;
  readonly isAcr122Plugged: boolean;
}

const ACR122 = '072f:2200';
const STEALERS = ['pn533_usb', 'pn533'];
/** The service lists its readers at once. */
const LISTING_MS = 1_000;

const isPlugged = (machine: Machine, usb: string): boolean =>
  machine.list('/sys/bus/usb/devices').some(name => {
    const folder = `/sys/bus/usb/devices/${name}`;
    return `${machine.read(`${folder}/idVendor`)}:${machine.read(`${folder}/idProduct`)}` === usb;
  });

const loadedModules = (machine: Machine): readonly string[] =>
  (machine.read('/proc/modules') ?? '').split('\n').map(line => line.split(' ')[0] ?? '');

export type ListReaders = () => Promise<readonly string[]>;

/** Rejects while the service does not run, or hangs. */
const listReaders: ListReaders = async () => {
  const service = new PcscProcessService(new ProcessClock());
  const readers = new Set<string>();
  try {
    await service.open({
      changed: reader => void readers.add(reader),
      mute: () => undefined,
      unplugged: reader => void readers.delete(reader),
      ended: () => undefined,
    });
    await setTimeout(LISTING_MS);
    return [...readers];
  } finally {
    service.close();
  }
};

const troubleOf = (error: Error): PcscTrouble => {
  if (error instanceof PcscTimeoutError) return { text: 'the PC/SC service runs and does not answer', hangs: true };
  const [first = ''] = error.message.split('\n', 1);
  const text = first.includes('NoService')
    ? 'the PC/SC service does not run'
    : `the PC/SC service does not answer: ${first}`;
  return { text, hangs: false };
};

export const findSmartCards = async (machine: Machine, list: ListReaders = listReaders): Promise<FoundSmartCards> => {
  const isInstalled = ['/usr/sbin/pcscd', '/usr/bin/pcscd'].some(path => machine.resolve(path) !== null);
  const isAcr122Plugged = isPlugged(machine, ACR122);
  const modules = loadedModules(machine);
  const isStolen = isAcr122Plugged && STEALERS.some(name => modules.includes(name));
  try {
    return { isInstalled, readers: await list(), trouble: null, isStolen, isAcr122Plugged };
  } catch (error) {
    const trouble = troubleOf(error as Error);
    return { isInstalled, readers: [], trouble, isStolen, isAcr122Plugged };
  }
};
