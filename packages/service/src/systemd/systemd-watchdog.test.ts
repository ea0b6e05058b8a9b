import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { createSystemdWatchdog } from './systemd-watchdog.ts';

const reported = () => {
  const messages: string[] = [];
  return { messages, notify: (message: string) => void messages.push(message) };
};

describe('systemd watchdog', () => {
  it('reports ready, alive and stopping', () => {
    const { messages, notify } = reported();
    const watchdog = createSystemdWatchdog({ NOTIFY_SOCKET: '/run/x', WATCHDOG_USEC: '10000000' }, notify);
    watchdog.ready();
    watchdog.alive();
    watchdog.stopping();
    expect(messages).toEqual(['READY=1', 'WATCHDOG=1', 'STOPPING=1']);
    expect(watchdog.interval_ms).toBe(5_000);
  });

  it('does nothing when systemd did not start the process', () => {
    const { messages, notify } = reported();
    const watchdog = createSystemdWatchdog({ WATCHDOG_USEC: '10000000' }, notify);
    watchdog.ready();
    watchdog.alive();
    expect(messages).toEqual([]);
    expect(watchdog.interval_ms).toBeNull();
  });

  it.each([undefined, '0', 'nonsense'])('is disabled by a watchdog time of %s', WATCHDOG_USEC => {
    expect(createSystemdWatchdog({ NOTIFY_SOCKET: '/run/x', WATCHDOG_USEC }, () => undefined).interval_ms).toBeNull();
  });

  let listener: ChildProcess | undefined;
  afterEach(() => {
    listener?.kill();
  });

  const PYTHON = `import socket,sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind('\\0' + sys.argv[1][1:] if sys.argv[1][0] == '@' else sys.argv[1])
print('listening', flush=True)
while True:
    print(s.recv(4096).decode(), flush=True)`;

  it.for(['@', '/'])('sends to a real datagram socket whose name begins with %s', async (first, context) => {
    if (spawnSync('python3', ['--version']).status !== 0) {
      if (process.env['CI'] === 'true') throw new Error('python3 is not installed');
      context.skip('python3 is not installed');
    }
    const folder = mkdtempSync(join(tmpdir(), 'lintel-notify-'));
    const path = first === '@' ? `@${folder}` : join(folder, 'notify');
    listener = spawn('python3', ['-c', PYTHON, path], { stdio: ['ignore', 'pipe', 'inherit'] });
    const lines = createInterface({ input: listener.stdout! })[Symbol.asyncIterator]();
    await lines.next();
    const watchdog = createSystemdWatchdog({ NOTIFY_SOCKET: path });
    watchdog.ready();
    watchdog.stopping();
    expect([(await lines.next()).value, (await lines.next()).value]).toEqual(['READY=1', 'STOPPING=1']);
    rmSync(folder, { recursive: true });
  });
});
