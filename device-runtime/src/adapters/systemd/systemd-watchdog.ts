import { spawn } from 'node:child_process';
import type { Watchdog } from '../../ports/watchdog.ts';

export type Notify = (message: string) => void;

/**
 * Node cannot speak to a unix datagram socket, and systemd's own tool can. It runs as a child, so the unit says
 * `NotifyAccess=all`. One short process every few seconds is cheaper than a native package.
 */
const systemdNotify: Notify = message => {
  const child = spawn('systemd-notify', [message], { stdio: 'ignore' });
  child.on('error', () => undefined);
  child.unref();
};

/** Two signs of life within the time that systemd allows. */
const intervalOf = (microseconds: string | undefined): number | null => {
  const allowed = Number(microseconds);
  return allowed > 0 ? Math.floor(allowed / 2_000) : null;
};

/** Without systemd nobody watches, and nothing is said. */
export const systemdWatchdog = (
  env: Readonly<Record<string, string | undefined>> = process.env,
  notify: Notify = systemdNotify,
): Watchdog => {
  const say: Notify = env['NOTIFY_SOCKET'] === undefined ? () => undefined : notify;
  return {
    interval_ms: env['NOTIFY_SOCKET'] === undefined ? null : intervalOf(env['WATCHDOG_USEC']),
    ready: () => say('READY=1'),
    alive: () => say('WATCHDOG=1'),
    stopping: () => say('STOPPING=1'),
  };
};
