import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeviceId } from '@lintel/access-core/ids';
import type { DeviceTransport } from '@lintel/cloud-bridge/devices/transport/device-transport';
import { EmbeddedBroker } from '@lintel/cloud-bridge/devices/transport/embedded-broker';
import { ExternalBroker } from '@lintel/cloud-bridge/devices/transport/external-broker';
import { downTopic, ownDownFilter, upTopic } from '@lintel/wire-protocol/mqtt/topics';
import { Aedes } from 'aedes';
import { connectAsync, type MqttClient } from 'mqtt';
import { describe, expect, it } from 'vitest';
import { requirePart } from '../../reporting/system-part.ts';

/** A transport and the broker behind it, to which a controller connects. */
interface Line {
  readonly transport: DeviceTransport;
  readonly url: string;
  close(): Promise<void>;
}

const device = 'dev_1' as DeviceId;

const controllerOn = ({ url }: Line): Promise<MqttClient> =>
  connectAsync(url, { clientId: device, username: device, password: 'x', reconnectPeriod: 0 });

/** What every way to the controllers must do. */
const transportSuite = (open: () => Promise<Line>): Readonly<Record<string, () => Promise<void>>> => ({
  'hands down what is published, byte for byte and in order': async () => {
    const line = await open();
    const client = await controllerOn(line);
    const heard: string[] = [];
    client.on('message', (topic, payload) => heard.push(`${topic} ${payload.toString('hex')}`));
    await client.subscribeAsync(ownDownFilter(device), { qos: 1 });
    for (let byte = 0; byte < 100; byte++) {
      await line.transport.publish(downTopic(device, 'slice'), Uint8Array.of(byte, 0xff, 0));
    }
    const expected = Array.from(
      { length: 100 },
      (_, byte) => `${downTopic(device, 'slice')} ${Buffer.from([byte, 0xff, 0]).toString('hex')}`,
    );
    await expect.poll(() => heard).toEqual(expected);
    await client.endAsync();
    await line.close();
  },
  'hears what controllers say, each message once': async () => {
    const line = await open();
    const heard: string[] = [];
    line.transport.onMessage((topic, payload) => heard.push(`${topic} ${Buffer.from(payload).toString()}`));
    const client = await controllerOn(line);
    for (const word of ['one', 'two', 'three']) await client.publishAsync(upTopic(device, 'status'), word, { qos: 1 });
    const expected = ['one', 'two', 'three'].map(word => `${upTopic(device, 'status')} ${word}`);
    await expect.poll(() => heard).toEqual(expected);
    await client.endAsync();
    await line.close();
  },
  'hears the last will of a controller whose line is cut': async () => {
    const line = await open();
    const heard: string[] = [];
    line.transport.onMessage(topic => heard.push(topic));
    const will = { topic: upTopic(device, 'goodbye'), payload: Buffer.from('{}'), qos: 1, retain: false } as const;
    const client = await connectAsync(line.url, {
      clientId: device,
      username: device,
      password: 'x',
      reconnectPeriod: 0,
      will,
    });
    client.on('error', () => undefined);
    client.stream.destroy();
    await expect.poll(() => heard).toEqual([upTopic(device, 'goodbye')]);
    await line.close();
  },
});

const embedded = async (): Promise<Line> => {
  const identity = { deviceId: device, organizationId: 'org_1' as never, siteId: 's', serial: '01', carries: null };
  const broker = await EmbeddedBroker.start({
    byCertificate: async () => null,
    byPassword: async () => identity,
    carried: () => new Set(),
    now: () => Date.now(),
  });
  const url = `mqtt://127.0.0.1:${await broker.listen('127.0.0.1', 0)}`;
  return { transport: broker, url, close: () => broker.close() };
};

const through = async (url: string, stop: () => Promise<void>): Promise<Line> => {
  const transport = await ExternalBroker.connect({ url, onError: () => undefined });
  const close = async (): Promise<void> => {
    await transport.close();
    await stop();
  };
  return { transport, url, close };
};

/** A broker that knows nothing of shared subscriptions: it accepts them and delivers nothing. */
const plainBroker = async (): Promise<Line> => {
  const aedes = await Aedes.createBroker();
  const server = createServer(aedes.handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return through(`mqtt://127.0.0.1:${port}`, async () => {
    await new Promise<void>(resolve => {
      aedes.close(resolve);
    });
    server.close();
  });
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
};

const mosquitto = async (): Promise<Line> => {
  const port = await freePort();
  const file = join(mkdtempSync(join(tmpdir(), 'lintel-mosquitto-')), 'mosquitto.conf');
  writeFileSync(file, `listener ${port} 127.0.0.1\nallow_anonymous true\n`);
  const child: ChildProcess = spawn('mosquitto', ['-c', file], { stdio: 'ignore' });
  const url = `mqtt://127.0.0.1:${port}`;
  await expect
    .poll(() =>
      connectAsync(url).then(
        client => client.endAsync().then(() => true),
        () => false,
      ),
    )
    .toBe(true);
  return through(url, async () => {
    child.kill();
    await once(child, 'exit');
  });
};

describe('the broker in the bridge', () => {
  for (const [name, run] of Object.entries(transportSuite(embedded))) it(name, run);

  it('says at once who comes and goes, and sends away whom it is told to', async () => {
    const line = await embedded();
    const seen: string[] = [];
    line.transport.onPresence((deviceId, isConnected) => seen.push(`${deviceId} ${isConnected}`));
    const client = await controllerOn(line);
    client.on('error', () => undefined);
    await expect.poll(() => seen).toEqual(['dev_1 true']);
    line.transport.sendAway(device);
    await expect.poll(() => seen).toEqual(['dev_1 true', 'dev_1 false']);
    await line.close();
  });
});

describe('a broker elsewhere without shared subscriptions', () => {
  for (const [name, run] of Object.entries(transportSuite(plainBroker))) it(name, run);

  it('is found out, so that nothing is lost to a subscription that delivers nothing', async () => {
    const line = await plainBroker();
    expect((line.transport as ExternalBroker).isShared).toBe(false);
    await line.close();
  });

  it('leaves each bridge its share of the controllers when that was said', async () => {
    const line = await plainBroker();
    const shards = await Promise.all(
      ['1/2', '2/2'].map(shard =>
        ExternalBroker.connect({ url: `${line.url}?shard=${shard}`, onError: () => undefined }),
      ),
    );
    const heard: string[][] = [[], []];
    for (const [index, shard] of shards.entries()) shard.onMessage(topic => heard[index]!.push(topic));
    const client = await connectAsync(line.url);
    const topics = Array.from({ length: 50 }, (_, index) => upTopic(`dev_${index}` as DeviceId, 'status'));
    for (const topic of topics) await client.publishAsync(topic, '{}', { qos: 1 });
    await expect.poll(() => heard.flat().toSorted()).toEqual(topics.toSorted());
    expect(heard.every(({ length }) => length > 5)).toBe(true);
    await client.endAsync();
    for (const shard of shards) await shard.close();
    await line.close();
  });
});

describe('mosquitto', () => {
  const part = { command: 'mosquitto', install: 'apt install mosquitto' };
  for (const [name, run] of Object.entries(transportSuite(mosquitto))) {
    it(name, async context => {
      requirePart(context, part);
      await run();
    });
  }

  it('shares messages out among several bridges', async context => {
    requirePart(context, part);
    const line = await mosquitto();
    const other = await ExternalBroker.connect({ url: line.url, onError: () => undefined });
    expect([(line.transport as ExternalBroker).isShared, other.isShared]).toEqual([true, true]);
    const heard: string[][] = [[], []];
    for (const [index, one] of [line.transport, other].entries())
      one.onMessage((_, payload) => heard[index]!.push(String(payload)));
    const client = await controllerOn(line);
    for (let index = 0; index < 20; index++)
      await client.publishAsync(upTopic(device, 'status'), String(index), { qos: 1 });
    await expect.poll(() => heard.flat().length).toBe(20);
    expect(heard.every(({ length }) => length > 0)).toBe(true);
    await client.endAsync();
    await other.close();
    await line.close();
  });
});
