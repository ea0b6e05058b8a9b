import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { DeviceId } from '@lintel/access-core/ids';
import { type BrokerClient, GuardedBroker } from '@lintel/device-link/broker/guarded-broker';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectPacket, publishPackets, subscribePacket } from '../../bench/gateway-fixture/raw-packets.ts';

const login = (name: string) => connectPacket({ clientId: name, username: name, password: 'x' });
const text = (value: string): Buffer => Buffer.concat([Buffer.from([0, value.length]), Buffer.from(value)]);
const packet = (first: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([first, body.length]), body]);
};
const leveled = (level: number): Buffer => packet(0x10, text('MQTT'), Buffer.from([level, 2, 0, 0]), text('dev_a'));

let broker: GuardedBroker<BrokerClient>;
let port: number;
const heard: string[] = [];
const sockets: Socket[] = [];

beforeEach(async () => {
  heard.length = 0;
  broker = await GuardedBroker.start(
    {
      byCertificate: async () => null,
      byPassword: async name => ({ deviceId: name as DeviceId }),
      mayPublish: () => true,
      maySubscribe: () => true,
    },
    { now: () => Date.now() },
  );
  broker.onMessage(topic => heard.push(topic));
  port = await broker.listen('127.0.0.1', 0);
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await broker.close();
});

const opened = async (): Promise<Socket> => {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
};

/** Let in. */
const joined = async (name: string): Promise<Socket> => {
  const socket = await opened();
  socket.write(login(name));
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect([...answer]).toEqual([0x20, 2, 0, 0]);
  return socket;
};

/** Everything that comes until the broker closes. */
const lastWords = (socket: Socket): Promise<Buffer> =>
  new Promise(resolve => {
    const said: Buffer[] = [];
    socket.on('data', chunk => said.push(chunk));
    socket.once('close', () => resolve(Buffer.concat(said)));
  });

const stillServes = async (): Promise<void> => {
  const socket = await joined('dev_next');
  socket.write(publishPackets('open/next', Buffer.from('x'), 1)[0]!);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect([...answer]).toEqual([0x40, 2, 0, 1]);
  expect(heard).toEqual(['open/next']);
};

describe('a connection ends, and nobody else’s, when it begins with', () => {
  const beginnings: Record<string, Buffer> = {
    'another protocol': Buffer.from(
      `GET / HTTP/1.1\r\nHost: gateway\r\nUser-Agent: ${'a browser '.repeat(10)}\r\n\r\n`,
    ),
    'a message before it has said who it is': publishPackets('open/room', Buffer.from('x'), 1)[0]!,
    'a length that never ends': Buffer.from([0x10, 0xff, 0xff, 0xff, 0xff, 0xff]),
    'a packet of type 0': packet(0x00, Buffer.alloc(2)),
    'a name of the protocol that is none': packet(0x10, text('MQTQ'), Buffer.from([4, 2, 0, 0]), text('dev_a')),
    'a reserved flag': packet(0x10, text('MQTT'), Buffer.from([4, 3, 0, 0]), text('dev_a')),
    'a text that is longer than its packet': packet(0x10, text('MQTT'), Buffer.from([4, 2, 0, 0, 0xff, 0xff])),
  };
  for (const [name, bytes] of Object.entries(beginnings)) {
    it(name, async () => {
      const socket = await opened();
      const over = lastWords(socket);
      socket.write(bytes);
      await over;
      await stillServes();
    });
  }

  it('MQTT 5, which is told that its version is not spoken', async () => {
    const socket = await opened();
    const over = lastWords(socket);
    socket.write(packet(0x10, text('MQTT'), Buffer.from([5, 2, 0, 0, 0]), text('dev_a')));
    expect([...(await over).subarray(-2)]).toEqual([0, 1]);
    await stillServes();
  });

  it('a version that nobody has heard of', async () => {
    const socket = await opened();
    const over = lastWords(socket);
    socket.write(leveled(9));
    await over;
    await stillServes();
  });
});

describe('a connection ends, and nobody else’s, when in the middle of it comes', () => {
  const middles: Record<string, Buffer> = {
    'a second greeting': login('dev_a'),
    'a message of quality 3': Buffer.concat([
      Buffer.from([0x36]),
      publishPackets('a', Buffer.from('x'), 1)[0]!.subarray(1),
    ]),
    'a message whose number is 0': packet(0x32, text('open/room'), Buffer.from([0, 0]), Buffer.from('x')),
    'a message to a wildcard': packet(0x30, text('open/+'), Buffer.from('x')),
    'a message to a whole subtree': packet(0x30, text('open/#'), Buffer.from('x')),
    'a message to nobody': packet(0x30, text(''), Buffer.from('x')),
    'a topic with a zero in it': packet(0x30, text('open/\0room'), Buffer.from('x')),
    'a topic that is no text': packet(
      0x30,
      Buffer.from([0, 6]),
      Buffer.from('open/'),
      Buffer.from([0xff]),
      Buffer.from('x'),
    ),
    'a topic that is longer than its packet': packet(0x30, Buffer.from([0xff, 0xff]), Buffer.from('open')),
    'a subscription without the flag that it needs': Buffer.concat([
      Buffer.from([0x80]),
      subscribePacket('open/#').subarray(1),
    ]),
    'a subscription to nothing': packet(0x82, Buffer.from([0, 1])),
    'a subscription of quality 3': packet(0x82, Buffer.from([0, 1]), text('open/#'), Buffer.from([3])),
    'a length that never ends': Buffer.from([0x30, 0xff, 0xff, 0xff, 0xff, 0xff]),
    'an answer that only a broker gives': packet(0x20, Buffer.from([0, 0])),
    'a packet of type 15': packet(0xf0),
  };
  for (const [name, bytes] of Object.entries(middles)) {
    it(name, async () => {
      const socket = await joined('dev_a');
      const over = lastWords(socket);
      socket.write(bytes);
      await over;
      await stillServes();
    });
  }
});

describe('a connection', () => {
  it('is kept by pings, and cut when it is silent for half as long again as it has promised', async () => {
    const socket = await opened();
    socket.write(packet(0x10, text('MQTT'), Buffer.from([4, 0xc2, 0, 1]), text('dev_a'), text('dev_a'), text('x')));
    await once(socket, 'data');
    socket.write(Buffer.from([0xc0, 0]));
    const [pong] = (await once(socket, 'data')) as [Buffer];
    expect([...pong]).toEqual([0xd0, 0]);
    const began = performance.now();
    await lastWords(socket);
    expect(performance.now() - began).toBeGreaterThan(1400);
  });

  it('may come in the smallest of pieces', async () => {
    const socket = await opened();
    const welcomed = once(socket, 'data');
    for (const byte of login('dev_a')) socket.write(Buffer.from([byte]));
    await welcomed;
    const answered = once(socket, 'data');
    for (const byte of publishPackets('open/room', Buffer.from('x'), 1)[0]!) socket.write(Buffer.from([byte]));
    const [answer] = (await answered) as [Buffer];
    expect([...answer]).toEqual([0x40, 2, 0, 1]);
  });
});
