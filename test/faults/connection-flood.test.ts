import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectAsync } from 'mqtt';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newTestDatabase } from '../support/bridge/postgres.ts';
import { lintelProgramFile } from '../support/processes/bundled-programs.ts';
import { startProgram, type StartedProgram } from '../support/processes/start-program.ts';

const DESCRIPTORS = 256;
const STRANGERS = ['127.0.0.2', '127.0.0.3', '127.0.0.4'];
const CONNECTIONS_PER_STRANGER = 100;
const UNFINISHED = 'GET /v2/organization HTTP/1.1\r\nHost: localhost\r\nX-A: ';

interface Addresses {
  readonly http: string;
  readonly https: string;
  readonly mqtt: string;
  readonly mqtts: string;
}

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-connection-flood-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
};

const startSmallBridge = async (...args: readonly string[]): Promise<StartedProgram<Addresses>> => {
  const ports = ['--http-port', '0', '--https-port', '0', '--mqtt-port', '0', '--mqtts-port', '0'];
  const call = ['bridge', '--data', newFolder(), ...ports, ...args];
  const script = `ulimit -n ${DESCRIPTORS} && exec "$0" "$@"`;
  const bridge = await startProgram<Addresses>(['sh', '-c', script, process.execPath, lintelProgramFile, ...call]);
  onTestFinished(() => bridge.stop().then(() => undefined));
  return bridge;
};

/** Opens connections from several addresses and sends the beginning of a request. */
const flood = async (url: string, beginning: string): Promise<Socket[]> => {
  const { hostname: host, port } = new URL(url);
  const sockets = STRANGERS.flatMap(localAddress =>
    Array.from({ length: CONNECTIONS_PER_STRANGER }, () =>
      connect({ host, port: Number(port), localAddress }, function connected(this: Socket) {
        this.write(beginning);
      }),
    ),
  );
  onTestFinished(() => sockets.forEach(socket => socket.destroy()));
  for (const socket of sockets) socket.on('error', () => undefined).resume();
  await Promise.all(
    sockets.map(socket => new Promise(resolve => socket.once('connect', resolve).once('close', resolve))),
  );
  return sockets;
};

const statusOf = async (url: string): Promise<number> =>
  (await fetch(`${url}/readyz`, { headers: { connection: 'close' } })).status;

/** The broker's answer to a login with a wrong password. */
const loginAt = (url: string): Promise<string> =>
  connectAsync(url, { clientId: 'dev_1', username: 'dev_1', password: 'x', reconnectPeriod: 0 }, false).then(
    () => 'accepted',
    (error: Error) => error.message,
  );

const REFUSED = 'Connection refused: Not authorized';

describe.each(['sqlite', 'postgres'] as const)('a bridge with few file descriptors on %s', engine => {
  it('answers others while strangers hold unfinished requests, and after that', { tags: ['slow'] }, async () => {
    const database = engine === 'postgres' ? ['--database', await newTestDatabase()] : [];
    const bridge = await startSmallBridge(...database);
    const { http, https, mqtt, mqtts } = bridge.ready;
    const unfinished = await flood(http, UNFINISHED);
    for (const url of [https, mqtt, mqtts]) await flood(url, '');
    expect(await statusOf(http)).toBe(200);
    expect(await loginAt(mqtt)).toBe(REFUSED);
    const open = unfinished.filter(socket => !socket.destroyed);
    expect(open.length).toBeGreaterThan(0);
    // The bridge ends requests that are not finished in time.
    await Promise.all(open.map(socket => once(socket, 'close')));
    expect(bridge.isRunning).toBe(true);
    const again = await flood(http, UNFINISHED);
    expect(await statusOf(http)).toBe(200);
    for (const socket of again) socket.destroy();
    expect(await statusOf(http)).toBe(200);
    expect(await loginAt(mqtt)).toBe(REFUSED);
    expect(bridge.log()).toContain('Too many open connections');
    expect(bridge.log()).not.toContain('EMFILE');
  });
});
