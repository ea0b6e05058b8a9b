import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeviceId } from '@lintel/access-core/ids';
import type { DeviceTransport } from '@lintel/cloud-bridge/devices/transport/device-transport-interface';
import { EmbeddedBroker, ExternalBrokerClient } from '@lintel/cloud-bridge/testing';
import { buildDownlinkTopic, buildDeviceDownlinkFilter, buildUplinkTopic } from '@lintel/wire-protocol/mqtt/topics';
import { Aedes } from 'aedes';
import { connectAsync, type MqttClient } from 'mqtt';
import { describe, expect, it } from 'vitest';
import { requireProgram } from '../../support/require-program.ts';
import { findFreePort } from '../../support/find-free-port.ts';

/** A transport and the broker that controllers connect to. */
interface TransportFixture {
  readonly transport: DeviceTransport;
  readonly url: string;
  close(): Promise<void>;
}

const device = 'dev_1' as DeviceId;

const connectController = ({ url }: TransportFixture): Promise<MqttClient> =>
  connectAsync(url, { clientId: device, username: device, password: 'x', reconnectPeriod: 0 });

/** What every transport must do. */
const transportTests = (open: () => Promise<TransportFixture>): Readonly<Record<string, () => Promise<void>>> => ({
  'delivers published messages byte for byte and in order': async () => {
    const fixture = await open();
    const client = await connectController(fixture);
    const received: string[] = [];
    client.on('message', (topic, payload) => received.push(`${topic} ${payload.toString('hex')}`));
    await client.subscribeAsync(buildDeviceDownlinkFilter(device), { qos: 1 });
    for (let byte = 0; byte < 100; byte++) {
      await fixture.transport.publish(buildDownlinkTopic(device, 'snapshot'), Uint8Array.of(byte, 0xff, 0));
    }
    const expected = Array.from(
      { length: 100 },
      (_, byte) => `${buildDownlinkTopic(device, 'snapshot')} ${Buffer.from([byte, 0xff, 0]).toString('hex')}`,
    );
    await expect.poll(() => received).toEqual(expected);
    await client.endAsync();
    await fixture.close();
  },
  'receives each message of a controller once': async () => {
    const fixture = await open();
    const received: string[] = [];
    fixture.transport.onMessage((topic, payload) => received.push(`${topic} ${Buffer.from(payload).toString()}`));
    const client = await connectController(fixture);
    for (const text of ['one', 'two', 'three'])
      await client.publishAsync(buildUplinkTopic(device, 'status'), text, { qos: 1 });
    const expected = ['one', 'two', 'three'].map(text => `${buildUplinkTopic(device, 'status')} ${text}`);
    await expect.poll(() => received).toEqual(expected);
    await client.endAsync();
    await fixture.close();
  },
  'receives the last will of a controller whose connection drops': async () => {
    const fixture = await open();
    const received: string[] = [];
    fixture.transport.onMessage(topic => received.push(topic));
    const will = {
      topic: buildUplinkTopic(device, 'goodbye'),
      payload: Buffer.from('{}'),
      qos: 1,
      retain: false,
    } as const;
    const client = await connectAsync(fixture.url, {
      clientId: device,
      username: device,
      password: 'x',
      reconnectPeriod: 0,
      will,
    });
    client.on('error', () => undefined);
    client.stream.destroy();
    await expect.poll(() => received).toEqual([buildUplinkTopic(device, 'goodbye')]);
    await fixture.close();
  },
});

const openEmbedded = async (): Promise<TransportFixture> => {
  const identity = { deviceId: device, organizationId: 'org_1' as never, siteId: 's', serial: '01', siteDevices: null };
  const broker = await EmbeddedBroker.start({
    byCertificate: async () => null,
    byPassword: async () => identity,
    siteDevicesOf: () => new Set(),
    isRoutedThrough: () => false,
    now: () => Date.now(),
  });
  const url = `mqtt://127.0.0.1:${await broker.listen('127.0.0.1', 0)}`;
  return { transport: broker, url, close: () => broker.close() };
};

const connectExternal = async (url: string, stop: () => Promise<void>): Promise<TransportFixture> => {
  const transport = await ExternalBrokerClient.connect({ url, authorities: [], log: () => undefined });
  const close = async (): Promise<void> => {
    await transport.close();
    await stop();
  };
  return { transport, url, close };
};

/** A broker without shared subscriptions: it accepts them and delivers nothing. */
const openPlainBroker = async (): Promise<TransportFixture> => {
  const aedes = await Aedes.createBroker();
  const server = createServer(aedes.handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return connectExternal(`mqtt://127.0.0.1:${port}`, async () => {
    await new Promise<void>(resolve => {
      aedes.close(resolve);
    });
    server.close();
  });
};

const openMosquitto = async (): Promise<TransportFixture> => {
  const port = await findFreePort();
  const folder = mkdtempSync(join(tmpdir(), 'lintel-mosquitto-'));
  const file = join(folder, 'mosquitto.conf');
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
  return connectExternal(url, async () => {
    child.kill();
    await once(child, 'exit');
    rmSync(folder, { recursive: true });
  });
};

describe('EmbeddedBroker', () => {
  for (const [name, run] of Object.entries(transportTests(openEmbedded))) it(name, run);

  it('reports who connects and disconnects, and disconnects a device on request', async () => {
    const fixture = await openEmbedded();
    const presence: string[] = [];
    fixture.transport.onConnectionChange((deviceId, isConnected) => presence.push(`${deviceId} ${isConnected}`));
    const client = await connectController(fixture);
    client.on('error', () => undefined);
    await expect.poll(() => presence).toEqual(['dev_1 true']);
    fixture.transport.disconnect(device);
    await expect.poll(() => presence).toEqual(['dev_1 true', 'dev_1 false']);
    await fixture.close();
  });
});

describe('ExternalBrokerClient without shared subscriptions', () => {
  for (const [name, run] of Object.entries(transportTests(openPlainBroker))) it(name, run);

  it('detects that shared subscriptions do not work', async () => {
    const fixture = await openPlainBroker();
    expect((fixture.transport as ExternalBrokerClient).isShared).toBe(false);
    await fixture.close();
  });

  it('splits the controllers between bridges by the shard in the URL', async () => {
    const fixture = await openPlainBroker();
    const shards = await Promise.all(
      ['1/2', '2/2'].map(shard =>
        ExternalBrokerClient.connect({ url: `${fixture.url}?shard=${shard}`, authorities: [], log: () => undefined }),
      ),
    );
    const received: string[][] = [[], []];
    for (const [index, shard] of shards.entries()) shard.onMessage(topic => received[index]!.push(topic));
    const client = await connectAsync(fixture.url);
    const topics = Array.from({ length: 50 }, (_, index) => buildUplinkTopic(`dev_${index}` as DeviceId, 'status'));
    for (const topic of topics) await client.publishAsync(topic, '{}', { qos: 1 });
    await expect.poll(() => received.flat().toSorted()).toEqual(topics.toSorted());
    expect(received.every(({ length }) => length > 5)).toBe(true);
    await client.endAsync();
    for (const shard of shards) await shard.close();
    await fixture.close();
  });
});

describe('ExternalBrokerClient with mosquitto', () => {
  const part = { command: 'mosquitto', install: 'apt install mosquitto' };
  for (const [name, run] of Object.entries(transportTests(openMosquitto))) {
    it(name, async context => {
      requireProgram(context, part);
      await run();
    });
  }

  it('splits messages between bridges with a shared subscription', async context => {
    requireProgram(context, part);
    const fixture = await openMosquitto();
    const other = await ExternalBrokerClient.connect({ url: fixture.url, authorities: [], log: () => undefined });
    expect([(fixture.transport as ExternalBrokerClient).isShared, other.isShared]).toEqual([true, true]);
    const received: string[][] = [[], []];
    for (const [index, one] of [fixture.transport, other].entries())
      one.onMessage((_, payload) => received[index]!.push(String(payload)));
    const client = await connectController(fixture);
    for (let index = 0; index < 20; index++)
      await client.publishAsync(buildUplinkTopic(device, 'status'), String(index), { qos: 1 });
    await expect.poll(() => received.flat().length).toBe(20);
    expect(received.every(({ length }) => length > 0)).toBe(true);
    await client.endAsync();
    await other.close();
    await fixture.close();
  });
});
