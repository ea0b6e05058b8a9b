import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { ConnectionLimit, type ConnectionLimits, limitConnections } from './connection-limit.ts';

const clients: Socket[] = [];
let server: Server | null = null;
let now = 0;
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
  server?.close();
  now = 0;
});

const LIMITS: ConnectionLimits = {
  open: 64,
  openPerNetwork: 16,
  rate: { all: { per_second: 60, burst: 240 }, perNetwork: { per_second: 20, burst: 80 } },
};

const opened = async <S extends Server>(one: S): Promise<S> => {
  server = one;
  limitConnections(one, new ConnectionLimit(LIMITS, () => now));
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
});

describe('ConnectionLimit', () => {
  it('counts an IPv6 client by its /64, /56 and /48', () => {
    const limit = new ConnectionLimit({ open: 100, openPerNetwork: 2 }, () => 0);
    const admitted = (addresses: readonly string[]): number =>
      addresses.filter(address => limit.admit(address) !== null).length;
    expect(admitted(['2001:db8:1:100::1', '2001:db8:1:100::2', '2001:db8:1:100::3'])).toBe(2);
    // Another /64 of the same /56, then other /56 of the same /48.
    expect(admitted(['2001:db8:1:101::1', '2001:db8:1:102::1', '2001:db8:1:103::1'])).toBe(2);
    const others = Array.from({ length: 9 }, (_, index) => `2001:db8:1:${index + 2}00::1`);
    expect(admitted(others)).toBe(4);
    expect(admitted(['2001:db8:2::1', '192.0.2.1'])).toBe(2);
  });

  it('counts the connections of a reverse proxy in all only, and releases each connection', () => {
    const limit = new ConnectionLimit({ open: 3, openPerNetwork: 1 }, () => 0);
    const releases = [1, 2, 3].map(() => limit.admit('127.0.0.1', true));
    expect(releases.every(release => release !== null)).toBe(true);
    expect(limit.admit('192.0.2.1')).toBeNull();
    releases[0]!();
    expect(limit.admit('192.0.2.1')).not.toBeNull();
  });
});
