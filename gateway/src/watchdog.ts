import { spawn } from 'node:child_process';

type Notify = (message: string) => void;

/** Node cannot speak to systemd's socket, and systemd's own tool can: a child, therefore `NotifyAccess=all` in the unit. */
const systemdNotify: Notify = message => {
  const child = spawn('systemd-notify', [message], { stdio: 'ignore' });
  child.on('error', () => undefined);
  child.unref();
};

/** Tells systemd, where it started us, that the gateway serves, and then that it is not stuck. The answer says that it stops. */
export const tellSystemd = (
  env: Readonly<Record<string, string | undefined>> = process.env,
  notify: Notify = systemdNotify,
): (() => void) => {
  if (env['NOTIFY_SOCKET'] === undefined) return () => undefined;
  notify('READY=1');
  const allowed_ms = Number(env['WATCHDOG_USEC'] ?? 0) / 1000;
  const beat = allowed_ms > 0 ? setInterval(() => notify('WATCHDOG=1'), allowed_ms / 2) : undefined;
  return () => {
    clearInterval(beat);
    notify('STOPPING=1');
  };
};
