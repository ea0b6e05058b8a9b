import { existsSync } from 'node:fs';
import { type Instant, instant } from '@lintel/access-core/instant';

/** The operating system's clock, and whether a time server set it since the start. */
export interface SystemTime {
  now(): Instant;
  isSynchronized(): boolean;
}

/** systemd-timesyncd creates this file when it sets the clock; `chrony-wait` can be configured to. */
const SYNCHRONIZED = '/run/systemd/timesync/synchronized';

export const createSystemTime = (fileExists: (path: string) => boolean = existsSync): SystemTime => ({
  now: () => instant(Date.now()),
  isSynchronized: () => fileExists(SYNCHRONIZED),
});
