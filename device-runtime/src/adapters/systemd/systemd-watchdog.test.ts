import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, it } from 'vitest';
import { systemdWatchdog } from './systemd-watchdog.ts';

const told = () => {
  const messages: string[] = [];
  return { messages, notify: (message: string) => void messages.push(message) };
};

it('says when it serves, that it lives, and that it stops', () => {
  const { messages, notify } = told();
  const watchdog = systemdWatchdog({ NOTIFY_SOCKET: '/run/x', WATCHDOG_USEC: '10000000' }, notify);
  watchdog.ready();
  watchdog.alive();
  watchdog.stopping();
  expect(messages).toEqual(['READY=1', 'WATCHDOG=1', 'STOPPING=1']);
  expect(watchdog.interval_ms).toBe(5_000);
});

it('is silent where systemd did not start it', () => {
  const { messages, notify } = told();
  const watchdog = systemdWatchdog({ WATCHDOG_USEC: '10000000' }, notify);
  watchdog.ready();
  watchdog.alive();
  expect(messages).toEqual([]);
  expect(watchdog.interval_ms).toBeNull();
});

it.each([undefined, '0', 'nonsense'])('is not watched with a watchdog time of %s', WATCHDOG_USEC => {
  expect(systemdWatchdog({ NOTIFY_SOCKET: '/run/x', WATCHDOG_USEC }, () => undefined).interval_ms).toBeNull();
});

const has = (command: string): boolean => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;

let listener: ChildProcess | undefined;
afterEach(() => {
  listener?.kill();
  delete process.env['NOTIFY_SOCKET'];
});

it('reaches a real datagram socket through systemd-notify', async context => {
  const missing = ['python3', 'systemd-notify'].filter(command => !has(command));
  if (missing.length > 0) {
    if (process.env['CI'] === 'true') throw new Error(`${missing.join(', ')} is not installed`);
    context.skip(`${missing.join(', ')} is not installed`);
  }
  const folder = mkdtempSync(join(tmpdir(), 'lintel-notify-'));
  const path = join(folder, 'notify');
  const script = `import socket,sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print('listening', flush=True)
while True:
    print(s.recv(4096).decode(), flush=True)`;
  listener = spawn('python3', ['-c', script, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: listener.stdout! })[Symbol.asyncIterator]();
  await lines.next();
  process.env['NOTIFY_SOCKET'] = path;
  systemdWatchdog().ready();
  expect((await lines.next()).value).toContain('READY=1');
  rmSync(folder, { recursive: true });
});
