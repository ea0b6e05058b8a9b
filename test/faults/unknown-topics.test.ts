import type { DeviceId } from '@lintel/access-core/ids';
import { type BrokerClient, GuardedBroker } from '@lintel/device-link/broker/guarded-broker';
import { upTopic } from '@lintel/wire-protocol/mqtt/topics';
import { connectAsync } from 'mqtt';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { BridgeWorld } from '../support/bridge/bridge-world.ts';
import { DeviceHotel } from '../support/devices/device-hotel.ts';
import { type LogLine, RecordingLogger } from '../support/processes/recording-logger.ts';
import { claimGateway, forgetGateway, startGateway } from '../support/devices/site-gateway.ts';
import type { TestController } from '../support/devices/test-controller.ts';

const EACH = 300;
/** The last of them is the most that MQTT can name. */
const LENGTHS = [10, 150, 3000, 65_000];
const ALL = EACH * LENGTHS.length;

const closing: Array<() => Promise<unknown> | void> = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const openHotel = async () => {
  const logger = new RecordingLogger();
  const world = await BridgeWorld.open({ logger });
  closing.push(() => world.close());
  const hotel = await DeviceHotel.open(world);
  closing.push(() => hotel.controller.stop());
  return { hotel, world, logger };
};

/** Ever other names below its own subtree, which it may speak on; some of them would speak to a terminal. */
const babble = async (controller: TestController): Promise<void> => {
  for (const length of LENGTHS) {
    const said = Array.from({ length: EACH }, (_, index) => {
      const topic = `lintel/v1/${controller.deviceId}/up/\u001b[2J${index}-${'y'.repeat(length)}`;
      return controller.shout(topic.slice(0, 65_500), Buffer.from('{}'));
    });
    await Promise.all(said);
  }
};

const drops = (lines: readonly LogLine[]): LogLine[] =>
  lines.filter(({ message }) => String(message).startsWith('dropped a message'));

const expectToldOnce = (lines: readonly LogLine[], { deviceId }: TestController): void => {
  expect(drops(lines)).toHaveLength(1);
  const [line] = drops(lines);
  expect(line).toMatchObject({ device_id: deviceId });
  expect(String(line!['kind']).length).toBeLessThanOrEqual(120);
  expect(String(line!['kind'])).toContain('\\u{1b}[2J0-');
};

describe('a device that speaks under ever other names', () => {
  it('is counted by the bridge and told of once, and stays connected', async () => {
    const { hotel, world, logger } = await openHotel();
    const { controller } = hotel;
    await controller.start(hotel.url);
    const { devices } = world.bridge;
    await babble(controller);
    await expect.poll(() => devices.droppedMessages).toBeGreaterThanOrEqual(ALL);
    expectToldOnce(logger.lines, controller);
    const answer = controller.next('time');
    await controller.say('time-request', { v: 1, nonce: 'C'.repeat(22) });
    await answer;
    expect(devices.droppedMessages).toBe(ALL);
  });

  it('is told of once by the bridge for each kind of reason, wherever in a message it was wrong', async () => {
    const { hotel, world, logger } = await openHotel();
    const { controller } = hotel;
    await controller.start(hotel.url);
    for (let index = 0; index < 50; index++) {
      const gadgets = [
        ...Array.from({ length: index }, () => ({ gadget_id: hotel.gadgetId, state_id: 'open', since: 0 })),
        7,
      ];
      await controller.shout(upTopic(controller.deviceId, 'state'), Buffer.from(JSON.stringify({ v: 1, gadgets })));
    }
    await expect.poll(() => world.bridge.devices.droppedMessages).toBeGreaterThanOrEqual(50);
    expect(drops(logger.lines)).toHaveLength(1);
    expect(drops(logger.lines)[0]).toMatchObject({ kind: 'state', place: expect.stringContaining('gadgets') });
  });

  it('is counted by the gateway and told of once, and stays connected', async () => {
    const { hotel, world } = await openHotel();
    const { controller } = hotel;
    const dataDir = await claimGateway(world, hotel.client, hotel.siteId);
    closing.push(() => forgetGateway(dataDir));
    const lines: LogLine[] = [];
    const log = (level: string, message: string, facts = {}): void => void lines.push({ level, message, ...facts });
    const gateway = await startGateway(world, dataDir, hotel.url, { log });
    closing.push(() => gateway.stop());
    await vi.waitUntil(() => gateway.status().upstream.connected && gateway.status().controllers.length === 1, {
      timeout: 10_000,
    });
    await controller.start(gateway.addresses().mqtt!);
    await babble(controller);
    await expect.poll(() => gateway.status().traffic.dropped).toBeGreaterThanOrEqual(ALL);
    expectToldOnce(lines, controller);
    const answer = controller.next('time');
    await controller.say('time-request', { v: 1, nonce: 'C'.repeat(22) });
    await answer;
    expect(gateway.status().traffic.dropped).toBe(ALL);
  });
});

describe('a broker', () => {
  const openBroker = async () => {
    const broker = await GuardedBroker.start<BrokerClient>(
      {
        byCertificate: async () => null,
        byPassword: async name => ({ deviceId: name as DeviceId }),
        mayPublish: () => true,
        maySubscribe: () => true,
      },
      { now: () => Date.now() },
    );
    closing.push(() => broker.close());
    const heard: string[] = [];
    broker.onMessage(topic => heard.push(topic));
    const url = `mqtt://127.0.0.1:${await broker.listen('127.0.0.1', 0)}`;
    const join = async (name: string) => {
      const login = { clientId: name, username: name, password: 'x', reconnectPeriod: 0 };
      const client = await connectAsync(url, login);
      client.on('error', () => undefined);
      closing.push(() => client.endAsync(true));
      return client;
    };
    return { heard, join };
  };

  it('delivers nothing under a name of more than 256 bytes, and hears it all the same', async () => {
    const { heard, join } = await openBroker();
    const [listener, speaker] = [await join('dev_a'), await join('dev_b')];
    const got: string[] = [];
    listener.on('message', topic => got.push(topic));
    await listener.subscribeAsync('up/#', { qos: 1 });
    const [longest, tooLong] = [`up/${'é'.repeat(126)}x`, `up/${'é'.repeat(127)}`];
    await speaker.publishAsync(tooLong, 'x', { qos: 1 });
    await speaker.publishAsync(longest, 'x', { qos: 1 });
    await expect.poll(() => got).toEqual([longest]);
    expect(heard).toEqual([tooLong, longest]);
  });

  it('does not even keep such a message of quality 2: the connection ends', async () => {
    const { heard, join } = await openBroker();
    const speaker = await join('dev_b');
    const closed = new Promise<void>(resolve => {
      speaker.once('close', () => resolve());
    });
    speaker.publish(`up/${'y'.repeat(300)}`, 'x', { qos: 2 });
    await closed;
    expect(heard).toHaveLength(1);
  });
});
