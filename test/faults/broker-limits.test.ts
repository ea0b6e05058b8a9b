import { once } from 'node:events';
import { connect as connectSocket, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import { type AuthenticatedDevice, EmbeddedBroker } from '@lintel/cloud-bridge/testing';
import type { BrokerLimits } from '@lintel/broker/broker-limits';
import { createBrokerSocketServer } from '@lintel/broker/broker-listeners';
import { buildDownlinkTopic, buildDeviceDownlinkFilter, buildUplinkTopic } from '@lintel/wire-protocol/mqtt/topics';
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt';
import { afterEach, describe, expect, it } from 'vitest';
import { iterations } from '../support/test-iterations-and-seed.ts';

const identityOf = (name: string): AuthenticatedDevice => ({
  deviceId: name as DeviceId,
  organizationId: 'org_1' as OrganizationId,
  siteId: 'site_1',
  serial: '01',
  siteDevices: null,
});

/** A broker that accepts every device name. */
const openBroker = (limits: Partial<BrokerLimits> = {}): Promise<EmbeddedBroker> =>
  EmbeddedBroker.start(
    {
      byCertificate: async () => null,
      byPassword: async name => (name.startsWith('dev_') ? identityOf(name) : null),
      siteDevicesOf: () => new Set(),
      isRoutedThrough: () => false,
      now: () => Date.now(),
    },
    limits,
  );

const WAITING_MESSAGES = iterations({ sample: 5_000, all: 50_000 });
const OFFLINE_MESSAGES = 5_000;
const OFFLINE_MESSAGE_BYTES = 10_000;

const closing: Array<() => Promise<unknown>> = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const startBroker = async (limits: Partial<BrokerLimits> = {}) => {
  const broker = await openBroker(limits);
  closing.push(() => broker.close());
  return { broker, port: await broker.listen('127.0.0.1', 0) };
};

const join = async (port: number, name: string, options: IClientOptions = {}): Promise<MqttClient> => {
  const url = `mqtt://127.0.0.1:${port}`;
  const client = await connectAsync(url, {
    clientId: name,
    username: name,
    password: 'x',
    reconnectPeriod: 0,
    ...options,
  });
  client.on('error', () => undefined);
  (client.stream as unknown as Socket).setNoDelay(true);
  closing.push(() => client.endAsync(true));
  return client;
};

const connectPacket = (name: string): Buffer => {
  const text = (value: string): Buffer => Buffer.concat([Buffer.from([0, value.length]), Buffer.from(value)]);
  const body = Buffer.concat([text('MQTT'), Buffer.from([4, 0xc2, 0, 0]), text(name), text(name), text('x')]);
  return Buffer.concat([Buffer.from([0x10, body.length]), body]);
};

const subscribePacket = (filter: string): Buffer => {
  const body = Buffer.concat([Buffer.from([0, 1, 0, filter.length]), Buffer.from(filter), Buffer.from([1])]);
  return Buffer.concat([Buffer.from([0x82, body.length]), body]);
};

/** Subscribes to its own topics, and does not read any more. */
const connectStalled = async (port: number, name: string): Promise<Socket> => {
  const socket = connectSocket(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.on('error', () => undefined);
  socket.write(connectPacket(name));
  await once(socket, 'data');
  socket.write(subscribePacket(buildDeviceDownlinkFilter(name as DeviceId)));
  await once(socket, 'data');
  socket.pause();
  closing.push(async () => socket.destroy());
  return socket;
};

const snapshotTopic = (name: string): string => buildDownlinkTopic(name as DeviceId, 'snapshot');

describe('Subscriber that does not read', () => {
  it('may leave with many messages waiting for it', async () => {
    const { broker, port } = await startBroker({ maxQueuedBytes: 1 << 30 });
    const socket = await connectStalled(port, 'dev_stalled');
    const payload = Buffer.alloc(512);
    const waiting = Array.from({ length: WAITING_MESSAGES }, () =>
      broker.publish(snapshotTopic('dev_stalled'), payload),
    );
    await Promise.all(waiting);
    socket.destroy();
    const client = await join(port, 'dev_next');
    await client.subscribeAsync(buildDeviceDownlinkFilter('dev_next' as DeviceId), { qos: 1 });
    const received = once(client as never, 'message');
    await broker.publish(snapshotTopic('dev_next'), Buffer.from('later'));
    expect(String((await received)[1])).toBe('later');
  });

  it('does not delay other subscribers', async () => {
    const { broker, port } = await startBroker({ maxQueuedBytes: 1 << 30 });
    await connectStalled(port, 'dev_stalled');
    const client = await join(port, 'dev_quick');
    await client.subscribeAsync(buildDeviceDownlinkFilter('dev_quick' as DeviceId), { qos: 1 });
    for (let index = 0; index < 2000; index++) {
      broker.publish(snapshotTopic('dev_stalled'), Buffer.alloc(4096)).catch(() => undefined);
    }
    const received = once(client as never, 'message');
    await broker.publish(snapshotTopic('dev_quick'), Buffer.from('now'));
    expect(String((await received)[1])).toBe('now');
  });

  it('is disconnected when more bytes wait for it than the limit', async () => {
    const { broker, port } = await startBroker({ maxQueuedBytes: 256 * 1024 });
    const socket = await connectStalled(port, 'dev_stalled');
    const gone = new Promise<boolean>(resolve => {
      broker.onConnectionChange((_, isConnected) => {
        if (!isConnected) resolve(true);
      });
    });
    for (let index = 0; index < 500; index++) {
      broker.publish(snapshotTopic('dev_stalled'), Buffer.alloc(64 * 1024)).catch(() => undefined);
      if (index % 10 === 0) await turn();
    }
    expect(await gone).toBe(true);
    socket.destroy();
  });

  it('is disconnected when it has read nothing for too long', async () => {
    const { broker, port } = await startBroker({ stallTimeoutMs: 200, maxQueuedBytes: 1 << 30 });
    await connectStalled(port, 'dev_stalled');
    const gone = new Promise<boolean>(resolve => {
      broker.onConnectionChange((_, isConnected) => {
        if (!isConnected) resolve(true);
      });
    });
    for (let index = 0; index < 200; index++) {
      broker.publish(snapshotTopic('dev_stalled'), Buffer.alloc(64 * 1024)).catch(() => undefined);
    }
    expect(await gone).toBe(true);
  });
});

describe('Session of a client that is offline', () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const bytesOfReachableBuffers = (): number => {
    collectGarbage();
    return process.memoryUsage().arrayBuffers;
  };

  it('is not kept: messages neither pile up nor arrive later', async () => {
    const { broker, port } = await startBroker();
    const filter = buildDeviceDownlinkFilter('dev_away' as DeviceId);
    const client = await join(port, 'dev_away', { clean: false });
    await client.subscribeAsync(filter, { qos: 1 });
    await client.endAsync(true);
    const before = bytesOfReachableBuffers();
    for (let index = 0; index < OFFLINE_MESSAGES; index++)
      await broker.publish(snapshotTopic('dev_away'), Buffer.alloc(OFFLINE_MESSAGE_BYTES));
    await expect
      .poll(() => bytesOfReachableBuffers() - before)
      .toBeLessThan((OFFLINE_MESSAGES * OFFLINE_MESSAGE_BYTES) / 2);
    const back = await join(port, 'dev_away', { clean: false });
    const received: string[] = [];
    back.on('message', (_, payload) => received.push(payload.toString()));
    await back.subscribeAsync(filter, { qos: 1 });
    await broker.publish(snapshotTopic('dev_away'), Buffer.from('new'));
    await expect.poll(() => received).toEqual(['new']);
  });
});

describe('Connection of a controller', () => {
  it('sends packets without delay', () => {
    expect(createBrokerSocketServer()).toMatchObject({ noDelay: true });
  });

  it('is closed when a message exceeds the limit, before all of it was read', async () => {
    const { port } = await startBroker({ maxPayloadBytes: 1000 });
    const socket = connectSocket(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(connectPacket('dev_large'));
    await once(socket, 'data');
    const closed = new Promise<void>(resolve => {
      socket.once('close', () => resolve());
    });
    socket.write(Buffer.concat([Buffer.from([0x30, 0x80, 0x80, 0x80, 0x10]), Buffer.alloc(100_000)]));
    socket.resume();
    await closed;
    const client = await join(port, 'dev_large');
    const dropped = once(client as never, 'close');
    client.publish(buildUplinkTopic('dev_large' as DeviceId, 'status'), Buffer.alloc(1001), { qos: 0 });
    await dropped;
  });

  it('does not retain messages', async () => {
    const { broker, port } = await startBroker();
    const received: string[] = [];
    broker.onMessage(topic => received.push(topic));
    const client = await join(port, 'dev_one');
    await client.publishAsync(buildUplinkTopic('dev_one' as DeviceId, 'status'), '{}', { qos: 1, retain: true });
    await expect.poll(() => received).toHaveLength(1);
    const again: string[] = [];
    broker.onMessage(topic => again.push(topic));
    await client.publishAsync(buildUplinkTopic('dev_one' as DeviceId, 'state'), '{}', { qos: 1 });
    await expect.poll(() => again).toEqual([buildUplinkTopic('dev_one' as DeviceId, 'state')]);
  });
});
