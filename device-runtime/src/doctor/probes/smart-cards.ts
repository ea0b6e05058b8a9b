import { setTimeout } from 'node:timers/promises';
import type { OpenPcscSession } from '../../adapters/pcsc/pcsc-session.ts';
import type { Machine } from '../machine.ts';

export interface FoundSmartCards {
  readonly isInstalled: boolean;
  readonly readers: readonly string[];
  /** Why there is no answer from the service; null when there is. */
  readonly trouble: string | null;
  /** A reader of the ACR122U kind is plugged in, and the kernel's own driver has taken it. */
  readonly isStolen: boolean;
  readonly isAcr122Plugged: boolean;
}

const ACR122 = '072f:2200';
const STEALERS = ['pn533_usb', 'pn533'];
/** The service lists its readers at once. */
const LISTING_MS = 1_000;

const loadPcsc = async (): Promise<OpenPcscSession> =>
  (await import('../../adapters/pcsc/pcsc-mini-session.ts')).openPcscMiniSession;

const isPlugged = (machine: Machine, usb: string): boolean =>
  machine.list('/sys/bus/usb/devices').some(name => {
    const folder = `/sys/bus/usb/devices/${name}`;
    return `${machine.read(`${folder}/idVendor`)}:${machine.read(`${folder}/idProduct`)}` === usb;
  });

const loadedModules = (machine: Machine): readonly string[] =>
  (machine.read('/proc/modules') ?? '').split('\n').map(line => line.split(' ')[0] ?? '');

export type ListReaders = () => Promise<readonly string[]>;

/** Rejects while the service does not run. */
export const listReaders: ListReaders = async () => {
  const open = await loadPcsc();
  const readers = new Set<string>();
  const session = await open({
    changed: reader => void readers.add(reader),
    unplugged: reader => void readers.delete(reader),
    ended: () => undefined,
  });
  await setTimeout(LISTING_MS);
  session.close();
  return [...readers];
};

export const findSmartCards = async (machine: Machine, list: ListReaders = listReaders): Promise<FoundSmartCards> => {
  const isInstalled = ['/usr/sbin/pcscd', '/usr/bin/pcscd'].some(path => machine.resolve(path) !== null);
  const isAcr122Plugged = isPlugged(machine, ACR122);
  const modules = loadedModules(machine);
  const isStolen = isAcr122Plugged && STEALERS.some(name => modules.includes(name));
  try {
    return { isInstalled, readers: await list(), trouble: null, isStolen, isAcr122Plugged };
  } catch (error) {
    const [first = ''] = (error as Error).message.split('\n', 1);
    const trouble = first.includes('NoService') ? 'it does not run' : first;
    return { isInstalled, readers: [], trouble, isStolen, isAcr122Plugged };
  }
};
