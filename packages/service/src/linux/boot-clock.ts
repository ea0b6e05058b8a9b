import { readFileSync } from 'node:fs';
import { type MonotonicTime, monotonic } from '@lintel/access-core/monotonic-time';
import { loadLibcCalls } from './libc.ts';

const BOOT_ID = '/proc/sys/kernel/random/boot_id';

/** A clock that all processes share from the start of the machine to its next start. */
export interface BootClock {
  /** Different after every start of the machine. */
  readonly id: string;
  now(): MonotonicTime;
}

/** Different after every start of the machine; null on another operating system. */
const readBootId = (): string | null => {
  try {
    return readFileSync(BOOT_ID, 'utf8').trim() || null;
  } catch {
    return null;
  }
};

/** CLOCK_BOOTTIME, which Node does not offer; null on another operating system. */
export const openBootClock = (): BootClock | null => {
  try {
    const id = readBootId();
    const libc = loadLibcCalls();
    return id === null ? null : { id, now: () => monotonic(libc.bootTime()) };
  } catch {
    return null;
  }
};
