import { setTimeout as sleep } from 'node:timers/promises';
import type { Watchdog } from './watchdog-interface.ts';

export type SystemdNotify = (message: string) => void;

const MAX_ATTEMPTS = 20;
const RETRY_MS = 100;

const send = async (path: string, message: string): Promise<void> => {
  // Node has no unix datagram sockets. Loaded only when systemd is present.
  const { loadLibcCalls: libc } = await import('../linux/libc.ts');
  for (let left = MAX_ATTEMPTS; left > 0; left--) {
    try {
      return libc().sendDatagram(path, message);
    } catch {
      await sleep(RETRY_MS, undefined, { ref: false });
    }
  }
};

/** Sends in order and from this process, because the unit has `NotifyAccess=main`. */
const notifierOf = (path: string): SystemdNotify => {
  let last = Promise.resolve();
  return message => {
    last = last.then(() => send(path, message)).catch(() => undefined);
  };
};

/** Half of the time that systemd allows. */
const intervalOf = (microseconds: string | undefined): number | null => {
  const allowed = Number(microseconds);
  return allowed > 0 ? Math.floor(allowed / 2_000) : null;
};

/** Does nothing without systemd. */
export const createSystemdWatchdog = (
  env: Readonly<Record<string, string | undefined>> = process.env,
  notify: SystemdNotify = notifierOf(env['NOTIFY_SOCKET'] ?? ''),
): Watchdog => {
  const send: SystemdNotify = env['NOTIFY_SOCKET'] === undefined ? () => undefined : notify;
  return {
    interval_ms: env['NOTIFY_SOCKET'] === undefined ? null : intervalOf(env['WATCHDOG_USEC']),
    ready: () => send('READY=1'),
    alive: () => send('WATCHDOG=1'),
    stopping: () => send('STOPPING=1'),
  };
};
