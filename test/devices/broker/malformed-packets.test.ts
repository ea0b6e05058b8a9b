import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { DeviceId } from '@lintel/access-core/ids';
import { type BrokerClient, GuardedBroker } from '@lintel/broker/guarded-broker';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectPacket, publishPackets, subscribePacket } from '../../bench/gateway-fixture/mqtt-packets.ts';

const login = (name: string) => connectPacket({ clientId: name, username: name, password: 'x' });
const text = (value: string): Buffer => Buffer.concat([Buffer.from([0, value.length]), Buffer.from(value)]);
const packet = (first: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([first, body.length]), body]);
};
const connectWithLevel = (level: number): Buffer =>
  packet(0x10, text('MQTT'), Buffer.from([level, 2, 0, 0]), text('dev_a'));

let broker: GuardedBroker<BrokerClient>;
let port: number;
/** Milliseconds by which the broker finds silent connections. */
let uptime = 0;
let uptimeReads = 0;
const received: string[] = [];
const sockets: Socket[] = [];

beforeEach(async () => {
  received.length = 0;
  uptime = 0;
  broker = await GuardedBroker.start(
    {
      byCertificate: async () => null,
      byPassword: async name => ({ deviceId: name as DeviceId }),
      mayPublish: () => true,
      maySubscribe: () => true,
    },
    {
      now: () => Date.now(),
      uptime: () => {
        uptimeReads++;
        return uptime;
      },
      // Connections are checked as often as this.
      limits: { stallTimeoutMs: 5 },
    },
  );
  broker.onMessage(topic => received.push(topic));
  port = await broker.listen('127.0.0.1', 0);
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await broker.close();
});

const openSocket = async (): Promise<Socket> => {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
};

const openSession = async (name: string): Promise<Socket> => {
  const socket = await openSocket();
  socket.write(login(name));
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect([...answer]).toEqual([0x20, 2, 0, 0]);
  return socket;
};

/** All bytes until the broker closes the connection. */
const bytesUntilClosed = (socket: Socket): Promise<Buffer> =>
  new Promise(resolve => {
    const chunks: Buffer[] = [];
    socket.on('data', chunk => chunks.push(chunk));
    socket.once('close', () => resolve(Buffer.concat(chunks)));
  });

const expectOthersServed = async (): Promise<void> => {
  const socket = await openSession('dev_next');
  socket.write(publishPackets('open/next', Buffer.from('x'), 1)[0]!);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect([...answer]).toEqual([0x40, 2, 0, 1]);
  expect(received).toEqual(['open/next']);
};

describe('GuardedBroker, first packet', () => {
  const malformed: Record<string, Buffer> = {
    'another protocol': Buffer.from(
      `GET / HTTP/1.1\r\nHost: gateway\r\nUser-Agent: ${'a browser '.repeat(10)}\r\n\r\n`,
    ),
    'a PUBLISH before CONNECT': publishPackets('open/room', Buffer.from('x'), 1)[0]!,
    'a remaining length of more than four bytes': Buffer.from([0x10, 0xff, 0xff, 0xff, 0xff, 0xff]),
    'a packet of reserved type 0': packet(0x00, Buffer.alloc(2)),
    'an unknown protocol name': packet(0x10, text('MQTQ'), Buffer.from([4, 2, 0, 0]), text('dev_a')),
    'the reserved CONNECT flag set': packet(0x10, text('MQTT'), Buffer.from([4, 3, 0, 0]), text('dev_a')),
    'a string longer than its packet': packet(0x10, text('MQTT'), Buffer.from([4, 2, 0, 0, 0xff, 0xff])),
  };
  for (const [name, bytes] of Object.entries(malformed)) {
    it(`closes only the connection that starts with ${name}`, async () => {
      const socket = await openSocket();
      const closed = bytesUntilClosed(socket);
      socket.write(bytes);
      await closed;
      await expectOthersServed();
    });
  }

  it('refuses MQTT 5 with return code 1, unacceptable protocol version', async () => {
    const socket = await openSocket();
    const closed = bytesUntilClosed(socket);
    socket.write(packet(0x10, text('MQTT'), Buffer.from([5, 2, 0, 0, 0]), text('dev_a')));
    expect([...(await closed).subarray(-2)]).toEqual([0, 1]);
    await expectOthersServed();
  });

  it('closes only the connection that asks for an unknown protocol level', async () => {
    const socket = await openSocket();
    const closed = bytesUntilClosed(socket);
    socket.write(connectWithLevel(9));
    await closed;
    await expectOthersServed();
  });
});

describe('GuardedBroker, connected session', () => {
  const malformed: Record<string, Buffer> = {
    'a second CONNECT': login('dev_a'),
    'a PUBLISH with QoS 3': Buffer.concat([
      Buffer.from([0x36]),
      publishPackets('a', Buffer.from('x'), 1)[0]!.subarray(1),
    ]),
    'a PUBLISH with packet id 0': packet(0x32, text('open/room'), Buffer.from([0, 0]), Buffer.from('x')),
    'a PUBLISH to a single-level wildcard': packet(0x30, text('open/+'), Buffer.from('x')),
    'a PUBLISH to a multi-level wildcard': packet(0x30, text('open/#'), Buffer.from('x')),
    'a PUBLISH to an empty topic': packet(0x30, text(''), Buffer.from('x')),
    'a topic with a null character': packet(0x30, text('open/\0room'), Buffer.from('x')),
    'a topic that is not UTF-8': packet(
      0x30,
      Buffer.from([0, 6]),
      Buffer.from('open/'),
      Buffer.from([0xff]),
      Buffer.from('x'),
    ),
    'a topic longer than its packet': packet(0x30, Buffer.from([0xff, 0xff]), Buffer.from('open')),
    'a SUBSCRIBE without its required flag': Buffer.concat([
      Buffer.from([0x80]),
      subscribePacket('open/#').subarray(1),
    ]),
    'a SUBSCRIBE without filters': packet(0x82, Buffer.from([0, 1])),
    'a SUBSCRIBE with QoS 3': packet(0x82, Buffer.from([0, 1]), text('open/#'), Buffer.from([3])),
    'a remaining length of more than four bytes': Buffer.from([0x30, 0xff, 0xff, 0xff, 0xff, 0xff]),
    'a CONNACK, which only brokers send': packet(0x20, Buffer.from([0, 0])),
    'a packet of reserved type 15': packet(0xf0),
  };
  for (const [name, bytes] of Object.entries(malformed)) {
    it(`closes only the connection that sends ${name}`, async () => {
      const socket = await openSession('dev_a');
      const closed = bytesUntilClosed(socket);
      socket.write(bytes);
      await closed;
      await expectOthersServed();
    });
  }

  it('closes a connection that is silent for more than one and a half times its keepalive interval', async () => {
    const KEEPALIVE_S = 1;
    const socket = await openSocket();
    const connect = Buffer.from([4, 0xc2, 0, KEEPALIVE_S]);
    socket.write(packet(0x10, text('MQTT'), connect, text('dev_a'), text('dev_a'), text('x')));
    await once(socket, 'data');
    const expectOpenAt = async (at: number): Promise<void> => {
      uptime = at;
      const before = uptimeReads;
      await expect.poll(() => uptimeReads).toBeGreaterThan(before + 1);
      expect(socket.closed).toBe(false);
    };
    await expectOpenAt(1500);
    socket.write(Buffer.from([0xc0, 0]));
    const [pingResponse] = (await once(socket, 'data')) as [Buffer];
    expect([...pingResponse]).toEqual([0xd0, 0]);
    await expectOpenAt(3000);
    const closed = bytesUntilClosed(socket);
    uptime = 3001;
    await closed;
  });

  it('reads packets that arrive one byte at a time', async () => {
    const socket = await openSocket();
    const connected = once(socket, 'data');
    for (const byte of login('dev_a')) socket.write(Buffer.from([byte]));
    await connected;
    const acknowledged = once(socket, 'data');
    for (const byte of publishPackets('open/room', Buffer.from('x'), 1)[0]!) socket.write(Buffer.from([byte]));
    const [acknowledgement] = (await acknowledged) as [Buffer];
    expect([...acknowledgement]).toEqual([0x40, 2, 0, 1]);
  });
});
