import { setTimeout as sleep } from 'node:timers/promises';
import type { Watchdog } from './watchdog.ts';

export type Notify = (message: string) => void;

const TRIES = 20;
const AGAIN_MS = 100;

const send = async (path: string, message: string): Promise<void> => {
  // Node cannot speak to a unix datagram socket. Loaded where it is of use only.
  const { libc } = await import('../linux/libc.ts');
  for (let left = TRIES; left > 0; left--) {
    try {
      return libc().sendDatagram(path, message);
    } catch {
      await sleep(AGAIN_MS, undefined, { ref: false });
    }
  }
};

/** One after the other, and from this process itself: the unit says `NotifyAccess=main`. */
const notifierOf = (path: string): Notify => {
  let last = Promise.resolve();
  return message => {
    last = last.then(() => send(path, message)).catch(() => undefined);
  };
};

/** Two signs of life within the time that systemd allows. */
const intervalOf = (microseconds: string | undefined): number | null => {
  const allowed = Number(microseconds);
  return allowed > 0 ? Math.floor(allowed / 2_000) : null;
};

/** Without systemd nobody watches, and nothing is said. */
export const systemdWatchdog = (
  env: Readonly<Record<string, string | undefined>> = process.env,
  notify: Notify = notifierOf(env['NOTIFY_SOCKET'] ?? ''),
): Watchdog => {
  const say: Notify = env['NOTIFY_SOCKET'] === undefined ? () => undefined : notify;
  return {
    interval_ms: env['NOTIFY_SOCKET'] === undefined ? null : intervalOf(env['WATCHDOG_USEC']),
    ready: () => say('READY=1'),
    alive: () => say('WATCHDOG=1'),
    stopping: () => say('STOPPING=1'),
  };
};
