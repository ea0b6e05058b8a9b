import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type Instant, instant } from '@lintel/access-core/instant';
import { loadLibcCalls } from './libc.ts';

/** The operating system's clock, and whether a time server set it since the start. */
export interface SystemTime {
  now(): Instant;
  isSynchronized(): boolean;
  /** The time of the battery-backed clock; null without one, and when it reports that its battery was empty. */
  readRtc?(): Instant | null;
}

/** systemd-timesyncd creates this file when it sets the clock. */
const SYNCHRONIZED = '/run/systemd/timesync/synchronized';
const RTCS = '/sys/class/rtc';

/** For all other time services, such as chrony. The kernel learns it from them. */
const isKernelSynchronized = (): boolean => {
  try {
    return loadLibcCalls().isClockSynchronized();
  } catch {
    return false;
  }
};

/** Drivers fail to read a clock that stopped without power. */
const readFirstRtc = (folder: string): Instant | null => {
  try {
    const [first] = readdirSync(folder).toSorted();
    const text = readFileSync(`${folder}/${first}/since_epoch`, 'utf8').trim();
    return /^\d+$/.test(text) ? instant(Number(text) * 1000) : null;
  } catch {
    return null;
  }
};

export interface SystemTimeSources {
  readonly fileExists?: (path: string) => boolean;
  readonly isKernelClockSet?: () => boolean;
  readonly rtcFolder?: string;
}

export const createSystemTime = ({
  fileExists = existsSync,
  isKernelClockSet = isKernelSynchronized,
  rtcFolder = RTCS,
}: SystemTimeSources = {}): SystemTime => ({
  now: () => instant(Date.now()),
  isSynchronized: () => fileExists(SYNCHRONIZED) || isKernelClockSet(),
  readRtc: () => readFirstRtc(rtcFolder),
});
