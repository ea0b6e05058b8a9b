import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { limitConnections } from './connection-limit.ts';
import { answerBrokenRequest } from './http-forms.ts';
import { openPageCertificate } from './page-certificate.ts';

const guests: Socket[] = [];
let server: Server | null = null;
let now = 0;
afterEach(() => {
  for (const guest of guests.splice(0)) guest.destroy();
  server?.close();
  now = 0;
});

const opened = async <S extends Server>(one: S): Promise<S> => {
  server = one;
  limitConnections(one, () => now);
  one.listen(0, '127.0.0.1');
  await once(one, 'listening');
  return one;
};

/** Greets whoever may stay. */
const greeter = (): Promise<Server> =>
  opened(
    createServer(socket => {
      socket.on('error', () => undefined);
      if (!socket.destroyed) socket.write('hello');
    }),
  );

const from = (localAddress: string): Socket => {
  const { port } = server!.address() as AddressInfo;
  const guest = connect({ host: '127.0.0.1', port, localAddress });
  guest.on('error', () => undefined);
  guests.push(guest);
  return guest;
};

const staysFrom = async (localAddress: string): Promise<Socket | null> => {
  const guest = from(localAddress);
  const greeted = await Promise.race([
    once(guest, 'data').then(
      () => true,
      () => false,
    ),
    once(guest, 'close').then(() => false),
  ]);
  return greeted ? guest : null;
};

const openAtServer = (): Promise<number> =>
  new Promise((resolve, reject) => {
    server!.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });

/** How many of so many that come and go one after the other. */
const comeAndGo = async (localAddress: string, times: number): Promise<number> => {
  let greeted = 0;
  for (let time = 0; time < times; time++) {
    const guest = await staysFrom(localAddress);
    if (guest === null) continue;
    greeted++;
    guest.destroy();
    await expect.poll(openAtServer, { interval: 1 }).toBe(0);
  }
  return greeted;
};

it('lets a burst of one address through, then so many a second', async () => {
  await greeter();
  expect(await comeAndGo('127.0.0.5', 90)).toBe(80);
  now += 1_000;
  expect(await comeAndGo('127.0.0.5', 30)).toBe(20);
});

it('lets others in while one address asks too often', async () => {
  await greeter();
  await comeAndGo('127.0.0.5', 100);
  expect(await staysFrom('127.0.0.5')).toBeNull();
  expect(await staysFrom('127.0.0.6')).not.toBeNull();
});

it('has an end for all addresses together', async () => {
  await greeter();
  let greeted = 0;
  for (let host = 1; host <= 5; host++) greeted += await comeAndGo(`127.0.1.${host}`, 80);
  expect(greeted).toBe(240);
});

it('gives one address sixteen places, and each again when it is left', async () => {
  await greeter();
  const places = await Promise.all(Array.from({ length: 20 }, () => staysFrom('127.0.0.5')));
  const taken = places.filter(place => place !== null);
  expect(taken).toHaveLength(16);
  expect(await staysFrom('127.0.0.6')).not.toBeNull();
  taken[0]!.destroy();
  await expect.poll(openAtServer).toBe(16);
  expect(await staysFrom('127.0.0.5')).not.toBeNull();
});

it('lets go of those who never begin to speak TLS, and of those who speak something else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-connections-'));
  const { key, certificate: cert } = await openPageCertificate(folder);
  rmSync(folder, { recursive: true });
  const page = createHttpsServer({ key, cert, handshakeTimeout: 50 });
  page.on('clientError', (error, socket) => answerBrokenRequest(error, socket as Socket));
  await opened(page);
  const { port } = page.address() as AddressInfo;
  for (let guest = 0; guest < 12; guest++) {
    // Half open: it does not go by itself when it is told that nothing more will come.
    const silent = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
    silent.on('error', () => undefined);
    guests.push(silent);
    if (guest % 3 === 0) silent.write('GET / HTTP/1.1\r\n\r\n');
    await once(silent, 'connect');
  }
  await expect.poll(openAtServer).toBe(0);
});
