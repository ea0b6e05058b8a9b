import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { limitConnections } from './connection-limit.ts';
import { sendMalformedRequestError } from '../http/request-bodies-and-errors.ts';
import { loadOrCreateTechnicianPageCertificate } from '@lintel/crypto/tls/technician-page-certificate';

const clients: Socket[] = [];
let server: Server | null = null;
let now = 0;
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
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

/** Sends a greeting to every accepted connection. */
const startServer = (): Promise<Server> =>
  opened(
    createServer(socket => {
      socket.on('error', () => undefined);
      if (!socket.destroyed) socket.write('hello');
    }),
  );

const from = (localAddress: string): Socket => {
  const { port } = server!.address() as AddressInfo;
  const client = connect({ host: '127.0.0.1', port, localAddress });
  client.on('error', () => undefined);
  clients.push(client);
  return client;
};

const connectFrom = async (localAddress: string): Promise<Socket | null> => {
  const client = from(localAddress);
  const accepted = await Promise.race([
    once(client, 'data').then(
      () => true,
      () => false,
    ),
    once(client, 'close').then(() => false),
  ]);
  return accepted ? client : null;
};

const openAtServer = (): Promise<number> =>
  new Promise((resolve, reject) => {
    server!.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });

/** How many of these consecutive connections were accepted. */
const acceptedOf = async (localAddress: string, times: number): Promise<number> => {
  let accepted = 0;
  for (let time = 0; time < times; time++) {
    const client = await connectFrom(localAddress);
    if (client === null) continue;
    accepted++;
    client.destroy();
    await expect.poll(openAtServer, { interval: 1 }).toBe(0);
  }
  return accepted;
};

describe('connection limit', () => {
  it('allows a burst from one address, then a fixed rate', async () => {
    await startServer();
    expect(await acceptedOf('127.0.0.5', 90)).toBe(80);
    now += 1_000;
    expect(await acceptedOf('127.0.0.5', 30)).toBe(20);
  });

  it('accepts other addresses while one exceeds its rate', async () => {
    await startServer();
    await acceptedOf('127.0.0.5', 100);
    expect(await connectFrom('127.0.0.5')).toBeNull();
    expect(await connectFrom('127.0.0.6')).not.toBeNull();
  });

  it('applies to all addresses together', async () => {
    await startServer();
    let accepted = 0;
    for (let host = 1; host <= 5; host++) accepted += await acceptedOf(`127.0.1.${host}`, 80);
    expect(accepted).toBe(240);
  });

  it('allows sixteen connections from one address at a time', async () => {
    await startServer();
    const places = await Promise.all(Array.from({ length: 20 }, () => connectFrom('127.0.0.5')));
    const taken = places.filter(place => place !== null);
    expect(taken).toHaveLength(16);
    expect(await connectFrom('127.0.0.6')).not.toBeNull();
    taken[0]!.destroy();
    await expect.poll(openAtServer).toBe(16);
    expect(await connectFrom('127.0.0.5')).not.toBeNull();
  });

  it('closes connections that never start TLS or use another protocol', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lintel-connections-'));
    const { key, certificate: cert } = await loadOrCreateTechnicianPageCertificate(folder);
    rmSync(folder, { recursive: true });
    const page = createHttpsServer({ key, cert, handshakeTimeout: 50 });
    page.on('clientError', (error, socket) => sendMalformedRequestError(error, socket as Socket));
    await opened(page);
    const { port } = page.address() as AddressInfo;
    for (let client = 0; client < 12; client++) {
      // Half open: the client does not close when the server ends its side.
      const silent = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
      silent.on('error', () => undefined);
      clients.push(silent);
      if (client % 3 === 0) silent.write('GET / HTTP/1.1\r\n\r\n');
      await once(silent, 'connect');
    }
    await expect.poll(openAtServer).toBe(0);
  });
});
